/*
 * Numbers of a stretch of a loop's iterations, all of which do the same: what its variable is, from the first of them
 * to the last, and what each of them adds something to.
 *
 * A comparison of the variable with a number that is known is true in all of them or in none, or says from which
 * iteration on it is not what it is in the first: there the stretch is cut.
 */
#include "analyzer/host/host.h"

static const char changes[] = "it changes in a loop";

static const struct host_constant *changed(struct host *host, const struct host_constant *from, int64_t by)
{
	struct host_constant *copy = arena_alloc(host->arena, sizeof(*copy));

	*copy = *from;
	return __builtin_add_overflow(from->value, by, &copy->value) ? host_unknown(host, changes) : copy;
}

const struct host_constant *host_stepped(struct host *host, struct host_stretch *stretch)
{
	struct host_constant *constant = arena_alloc(host->arena, sizeof(*constant));

	*constant = (struct host_constant){.kind = CONSTANT_STEPPED, .stretch = stretch, .reason = changes};
	return constant;
}

const struct host_constant *host_grown(struct host *host, struct host_stretch *stretch,
                                       const struct host_constant *before)
{
	struct host_constant *constant = arena_alloc(host->arena, sizeof(*constant));

	*constant = (struct host_constant){.kind = CONSTANT_GROWN, .stretch = stretch, .reason = changes};
	constant->parts[0] = changed(host, before, 0);
	return constant;
}

static int64_t stepped_at(const struct host_constant *constant, uint64_t iteration)
{
	const struct host_stretch *stretch = constant->stretch;

	return stretch->start + stretch->step * (int64_t)iteration + constant->value;
}

int64_t host_stepped_last(const struct host_constant *constant)
{
	return stepped_at(constant, constant->stretch->last);
}

/* Whether a type holds what it is in all iterations. */
static bool fits(const struct host_constant *constant, const struct source_type *type)
{
	int64_t first = stepped_at(constant, constant->stretch->first), last = host_stepped_last(constant);

	return type && type_is_integral(type) && type->shape != SHAPE_BOOL &&
	       expr_normalise(first, type->bits, type->is_signed) == first &&
	       expr_normalise(last, type->bits, type->is_signed) == last &&
	       (type->is_signed || (first >= 0 && last >= 0));
}

static bool compare(enum node_operator op, int64_t a, int64_t b)
{
	switch (op) {
	case OPERATOR_LT:
		return a < b;
	case OPERATOR_LE:
		return a <= b;
	case OPERATOR_GT:
		return a > b;
	case OPERATOR_GE:
		return a >= b;
	case OPERATOR_EQ:
		return a == b;
	default:
		return a != b;
	}
}

/* The first iteration at which the comparison is not what it is in the first; UINT64_MAX where it always is. */
static uint64_t split_of(enum node_operator op, const struct host_constant *stepped, int64_t bound)
{
	const struct host_stretch *stretch = stepped->stretch;
	bool begins = compare(op, stepped_at(stepped, stretch->first), bound);
	uint64_t low = stretch->first, high = stretch->last;
	int64_t distance = bound - stepped_at(stepped, stretch->first);

	if (op == OPERATOR_EQ || op == OPERATOR_NE) {
		if (distance % stretch->step || distance / stretch->step < 0)
			return UINT64_MAX;
		low += distance ? (uint64_t)(distance / stretch->step) : 1;
		return low <= high ? low : UINT64_MAX;
	}
	if (compare(op, stepped_at(stepped, high), bound) == begins)
		return UINT64_MAX;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (compare(op, stepped_at(stepped, middle), bound) == begins)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static const struct host_constant *decide(struct host *host, enum node_operator op, const struct host_constant *stepped,
                                          int64_t bound)
{
	struct host_stretch *stretch = stepped->stretch;
	uint64_t split = split_of(op, stepped, bound);

	if (split == UINT64_MAX)
		return host_integer(host, compare(op, stepped_at(stepped, stretch->first), bound));
	stretch->split = split < stretch->split ? split : stretch->split;
	return host_unknown(host, changes);
}

static bool is_stepped(const struct host_constant *a)
{
	return a->kind == CONSTANT_STEPPED || a->kind == CONSTANT_GROWN;
}

static bool is_comparison(enum node_operator op)
{
	return op == OPERATOR_LT || op == OPERATOR_LE || op == OPERATOR_GT || op == OPERATOR_GE || op == OPERATOR_EQ ||
	       op == OPERATOR_NE;
}

const struct host_constant *host_stepped_binary(struct host *host, enum node_operator op, const struct host_constant *a,
                                                const struct host_constant *b, const struct source_type *type)
{
	const struct host_constant *stepped = is_stepped(a) ? a : b, *number = stepped == a ? b : a, *moved;
	const int64_t most = INT64_MAX / 4;

	if (!is_stepped(stepped))
		return NULL;
	if (number->kind != CONSTANT_INTEGER || number->assumed || number->value > most || number->value < -most)
		return host_unknown(host,
		                    number->kind == CONSTANT_UNKNOWN && number->reason ? number->reason : changes);
	if (is_comparison(op))
		return stepped->kind == CONSTANT_STEPPED
		               ? decide(host, stepped == a ? op : host_mirrored(op), stepped, number->value)
		               : host_unknown(host, changes);
	if (op != OPERATOR_ADD && (op != OPERATOR_SUB || stepped != a))
		return host_unknown(host, changes);
	moved = changed(host, stepped, op == OPERATOR_ADD ? number->value : -number->value);
	return host_stepped_convert(host, moved, type);
}

const struct host_constant *host_stepped_convert(struct host *host, const struct host_constant *a,
                                                 const struct source_type *type)
{
	type = type ? type_strip_reference(type) : NULL;
	if (!is_stepped(a))
		return NULL;
	if (a->kind == CONSTANT_STEPPED && type && type->shape == SHAPE_BOOL)
		return decide(host, OPERATOR_NE, a, 0);
	if (a->kind == CONSTANT_STEPPED ? fits(a, type) : type && type_is_integral(type) && type->bits >= 32)
		return a;
	return host_unknown(host, changes);
}
