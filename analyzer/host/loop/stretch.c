/*
 * Loops that are counted, do loops left out, and too long to be run: their body is walked once for each stretch of
 * iterations in which the conditions that ask for the loop's variable have the same outcome (`if (i == 0)`, `if (x + 1
 * < width)`), and what an iteration adds to is added as often: integers, elements of containers.
 *
 * An iteration begins with nothing known of what others change. Where the walk changes something that was not found to
 * be changed before, it is done again without that.
 */
#include "analyzer/host/loop/loop.h"

/* So often a loop is cut; behind that conditions are not known. */
#define STRETCHES_MAX 16
/* So often the iterations of one stretch are walked. */
#define WALKS_MAX 8

static const char changes_in_loop[] = "it changes in a loop";

/* A variable that iterations change. */
struct changed_variable {
	struct source_declaration *variable;
	const struct host_constant *before, *begun; /* before the stretch; when an iteration begins */
};

struct stretch_walk {
	struct host *host;
	const struct node *loop;
	const struct host_count *count;
	struct host_stretch *stretch;
	struct changed_variable *changed;
	unsigned changed_count, cuts;
	struct source_declaration **found; /* changed in ways that are not seen in the text */
	unsigned found_count;
	bool is_complete;
};

/* ---- when an iteration begins ------------------------------------------------------------------ */

/* A container with another number of elements. */
static const struct host_constant *container_with(struct host *host, const struct host_constant *container,
                                                  const struct host_constant *count, bool keeps_elements)
{
	struct host_constant *copy = arena_alloc(host->arena, sizeof(*copy));

	*copy = *container;
	copy->parts[0] = count;
	copy->members = keeps_elements ? container->members : NULL;
	return copy;
}

/* What was forgotten, as something that grows. */
static const struct host_constant *begun_of(const struct stretch_walk *walk, const struct host_constant *before,
                                            const struct host_constant *now)
{
	struct host *host = walk->host;
	const struct host_constant *made = now;

	if (!before || !now || before == now || before->assumed)
		return now;
	if ((before->kind == CONSTANT_INTEGER || before->kind == CONSTANT_GROWN) && now->kind == CONSTANT_UNKNOWN)
		return host_grown(host, walk->stretch, before);
	if (before->kind == CONSTANT_CONTAINER && now->kind == CONSTANT_CONTAINER)
		return container_with(host, now, begun_of(walk, before->parts[0], now->parts[0]), false);
	if (before->kind != CONSTANT_RECORD || now->kind != CONSTANT_RECORD)
		return now;
	for (const struct host_known_part *part = now->members; part && part != before->members; part = part->next)
		if (part->value == host_member(now, part->offset) && part->value == host_member(made, part->offset))
			made = host_member_set(host, made, part->offset,
			                       begun_of(walk, host_member(before, part->offset), part->value));
	return made;
}

static struct changed_variable *changed_find(const struct stretch_walk *walk, const struct source_declaration *variable)
{
	for (unsigned i = 0; i < walk->changed_count; i++)
		if (walk->changed[i].variable == variable)
			return &walk->changed[i];
	return NULL;
}

static void changed_add(struct stretch_walk *walk, struct source_declaration *variable,
                        const struct host_constant *before)
{
	struct host *host = walk->host;
	const struct host_constant *now = host->environment[variable->slot], *begun = begun_of(walk, before, now);

	ARENA_PUSH(host->arena, walk->changed, walk->changed_count, (struct changed_variable){variable, before, begun});
	if (begun != now)
		host_set(host, variable, begun);
}

/* Nothing is known of what iterations change, but what they add to; a single one begins with what is there. */
static void iteration_begin(struct stretch_walk *walk)
{
	struct host *host = walk->host;
	size_t mark = host->trail_count, end;

	walk->changed_count = 0;
	host_set(host, walk->count->variable, host_stepped(host, walk->stretch));
	if (walk->stretch->first == walk->stretch->last)
		return;
	for (unsigned i = 0; i < walk->found_count; i++) {
		const struct host_constant *before = host->environment[walk->found[i]->slot];
		bool is_container = before && before->kind == CONSTANT_CONTAINER;
		const struct host_constant *unknown = host_unknown(host, changes_in_loop);

		host_set(host, walk->found[i], is_container ? container_with(host, before, unknown, false) : unknown);
	}
	host_forget_iteration(host, walk->loop, changes_in_loop);
	end = host->trail_count;
	for (size_t i = mark; i < end; i++)
		if (!changed_find(walk, host->trail[i].variable))
			changed_add(walk, host->trail[i].variable, host->trail[i].before);
	host_set(host, walk->count->variable, host_stepped(host, walk->stretch));
}

/* ---- one iteration ----------------------------------------------------------------------------- */

/* Whether something that was known, and not as what grows, has another value. */
static bool is_changed(const struct host_constant *before, const struct host_constant *now)
{
	if (!before || before->kind == CONSTANT_UNKNOWN || before->kind == CONSTANT_GROWN || before == now)
		return false;
	if (before->kind == CONSTANT_CONTAINER && now && now->kind == CONSTANT_CONTAINER)
		return before->members || is_changed(before->parts[0], now->parts[0]);
	if (!now || now->kind != before->kind)
		return true;
	if (before->kind != CONSTANT_RECORD)
		return before->kind == CONSTANT_REAL || before->kind == CONSTANT_STRING ||
		       before->kind == CONSTANT_TRIPLE || before->value != now->value ||
		       before->variable != now->variable || before->function != now->function ||
		       before->assumed != now->assumed;
	for (const struct host_known_part *part = now->members; part && part != before->members; part = part->next)
		if (is_changed(host_member(before, part->offset), host_member(now, part->offset)))
			return true;
	return false;
}

/* Takes down a variable that has another value than before and was not found to be changed. */
static void others_add(struct stretch_walk *walk, struct source_declaration *variable,
                       const struct host_constant *before)
{
	struct host *host = walk->host;

	for (unsigned i = 0; i < walk->found_count; i++)
		if (walk->found[i] == variable)
			return;
	if (variable != walk->count->variable && is_changed(before, host->environment[variable->slot]))
		ARENA_PUSH(host->arena, walk->found, walk->found_count, variable);
}

/* Finds what was changed since a mark and is not known to be; false where there is nothing. */
static bool find_others(struct stretch_walk *walk, size_t mark)
{
	struct host *host = walk->host;
	unsigned before = walk->found_count, known = walk->changed_count;

	if (walk->stretch->first == walk->stretch->last)
		return false;
	for (unsigned i = 0; i < known; i++)
		others_add(walk, walk->changed[i].variable, walk->changed[i].begun);
	for (size_t i = mark; i < host->trail_count; i++) {
		const struct host_change *change = &host->trail[i];

		if (changed_find(walk, change->variable))
			continue;
		ARENA_PUSH(host->arena, walk->changed, walk->changed_count,
		           (struct changed_variable){change->variable, change->before, NULL});
		others_add(walk, change->variable, change->before);
	}
	walk->changed_count = known;
	return walk->found_count > before;
}

/* Whether what was found is a pointer: what is set through it in other iterations is not seen. */
static bool moves_pointer(const struct stretch_walk *walk)
{
	for (unsigned i = 0; i < walk->found_count; i++) {
		const struct host_constant *value = walk->host->environment[walk->found[i]->slot];
		const struct source_type *type = walk->found[i]->type;

		if ((type && type->shape == SHAPE_POINTER) || (value && value->kind == CONSTANT_BINDING))
			return true;
	}
	return false;
}

/* Whether the loop's variable is what a body leaves of it: in a while loop, which has its step there, stepped once in
 * every iteration. */
static bool leaves_variable(const struct stretch_walk *walk, const struct host_constant *begun)
{
	const struct host *host = walk->host;
	const struct host_constant *now = host->environment[walk->count->variable->slot];

	if (walk->loop->kind == NODE_FOR)
		return now == begun;
	return now->kind == CONSTANT_STEPPED && now->stretch == walk->stretch && now->value == walk->count->by &&
	       !host->uncertain;
}

/* False where the loop may end in an iteration. What one changes that may go on with the next before its end may be as
 * before. */
static bool iteration_walk(struct stretch_walk *walk)
{
	struct host *host = walk->host;
	struct host_changes changes, none = {NULL, 0};
	size_t mark = host->trail_count;
	const struct host_constant *variable = host->environment[walk->count->variable->slot];
	bool is_for = walk->loop->kind == NODE_FOR;

	host_evaluate(host, walk->loop->children[1]);
	if (!host_optional(host, walk->loop->children[is_for ? 3 : 2]) && host->jump != JUMP_CONTINUE)
		return false;
	if (!leaves_variable(walk, variable))
		return false;
	if ((host->uncertain & UNCERTAIN_BREAK) || host->budget == 0 || host->has_ended)
		return false;
	if (host->uncertain) {
		changes = host_undo(host, mark);
		host_join_changes(host, &changes, &none);
		host->uncertain = 0;
	}
	if (is_for)
		host_evaluate(host, walk->loop->children[2]);
	return true;
}

/* ---- behind the last iteration ------------------------------------------------------------------- */

/* What was there before, and what all iterations added. */
static const struct host_constant *total(struct stretch_walk *walk, const struct host_constant *grown,
                                         const struct source_type *type)
{
	const struct host_constant *base = grown->parts[0];
	struct host_constant *sum = arena_alloc(walk->host->arena, sizeof(*sum));
	int64_t iterations = (int64_t)(walk->stretch->last - walk->stretch->first + 1), all;

	*sum = *base;
	if (__builtin_mul_overflow(grown->value, iterations, &all) ||
	    __builtin_add_overflow(base->value, all, &sum->value))
		return host_unknown(walk->host, changes_in_loop);
	if (type && type_is_integral(type) && sum->kind == CONSTANT_INTEGER)
		sum->value = expr_normalise(sum->value, type->bits, type->is_signed);
	return sum;
}

static const struct host_constant *settled(struct stretch_walk *walk, const struct host_constant *begun,
                                           const struct host_constant *now, const struct source_type *type);

static const struct host_constant *record_settled(struct stretch_walk *walk, const struct host_constant *begun,
                                                  const struct host_constant *now)
{
	const struct host_constant *made = now;

	for (const struct host_known_part *part = now->members; part; part = part->next) {
		const struct host_constant *value = host_member(made, part->offset);

		if (part->value == value)
			value = settled(walk, host_member(begun, part->offset), part->value, NULL);
		if (value != host_member(made, part->offset))
			made = host_member_set(walk->host, made, part->offset, value);
	}
	return made;
}

/* The value behind the last iteration of what one leaves. */
static const struct host_constant *settled(struct stretch_walk *walk, const struct host_constant *begun,
                                           const struct host_constant *now, const struct source_type *type)
{
	struct host *host = walk->host;
	bool is_begun = begun && begun->kind == now->kind;
	const struct host_constant *parts[3];

	switch (now->kind) {
	case CONSTANT_STEPPED:
		return now->stretch == walk->stretch ? host_integer(host, host_stepped_last(now)) : now;
	case CONSTANT_GROWN:
		if (now->stretch != walk->stretch)
			return now;
		return is_begun && begun->parts[0] == now->parts[0] ? total(walk, now, type)
		                                                    : host_unknown(host, changes_in_loop);
	case CONSTANT_CONTAINER:
		return container_with(host, now, settled(walk, is_begun ? begun->parts[0] : NULL, now->parts[0], NULL),
		                      is_begun && begun->members == now->members);
	case CONSTANT_RECORD:
		return record_settled(walk, begun, now);
	case CONSTANT_TRIPLE:
		for (unsigned i = 0; i < ARRAY_COUNT(parts); i++)
			parts[i] = settled(walk, NULL, now->parts[i], NULL);
		return host_triple(host, parts);
	default:
		return now;
	}
}

/* Whether something is not known that was known before. */
static bool is_lost(const struct host_constant *before, const struct host_constant *now)
{
	if (!before || before->kind == CONSTANT_UNKNOWN || before == now)
		return false;
	if (before->kind == CONSTANT_CONTAINER && now->kind == CONSTANT_CONTAINER)
		return is_lost(before->parts[0], now->parts[0]);
	if (before->kind != CONSTANT_RECORD || now->kind != CONSTANT_RECORD)
		return now->kind == CONSTANT_UNKNOWN;
	for (const struct host_known_part *part = now->members; part && part != before->members; part = part->next)
		if (is_lost(host_member(before, part->offset), host_member(now, part->offset)))
			return true;
	return false;
}

static void iterations_end(struct stretch_walk *walk, size_t mark)
{
	struct host *host = walk->host;
	size_t end = host->trail_count;

	for (size_t i = mark; i < end; i++) {
		struct source_declaration *variable = host->trail[i].variable;
		const struct changed_variable *changed = changed_find(walk, variable);
		const struct host_constant *now = host->environment[variable->slot], *then;

		if (variable == walk->count->variable || !now)
			continue;
		then = settled(walk, changed ? changed->begun : NULL, now, variable->type);
		if (then != now)
			host_set(host, variable, then);
	}
	for (unsigned i = 0; i < walk->changed_count; i++)
		if (walk->changed[i].variable != walk->count->variable)
			walk->is_complete =
				walk->is_complete &&
				!is_lost(walk->changed[i].before, host->environment[walk->changed[i].variable->slot]);
}

/* ---- stretches ------------------------------------------------------------------------------------ */

/* Walks the iterations from the stretch's first one on that do the same, and sets its last one. */
static bool stretch_follow(struct stretch_walk *walk)
{
	struct host *host = walk->host;
	struct host_stretch *stretch = walk->stretch;
	size_t mark = host->trail_count, begun;

	walk->found_count = 0;
	for (unsigned walks = 1;; walks++) {
		bool is_cut, has_others;

		stretch->split = UINT64_MAX;
		iteration_begin(walk);
		begun = host->trail_count;
		if (!iteration_walk(walk))
			return false;
		has_others = find_others(walk, begun);
		if (has_others && moves_pointer(walk))
			return false;
		is_cut = stretch->split <= stretch->last && walk->cuts < STRETCHES_MAX;
		if (!has_others && (!is_cut || walks >= WALKS_MAX))
			break;
		if (walks >= WALKS_MAX)
			return false;
		host_undo(host, mark);
		walk->cuts += is_cut;
		if (is_cut)
			stretch->last = stretch->split - 1;
	}
	iterations_end(walk, mark);
	return true;
}

static bool stretches_follow(struct stretch_walk *walk)
{
	const struct host_count *count = walk->count;
	struct host *host = walk->host;
	uint64_t outer = host->count;
	bool known = true;

	for (uint64_t first = 0; first < count->iterations && known; first = walk->stretch->last + 1) {
		walk->stretch = arena_alloc(host->arena, sizeof(*walk->stretch));
		*walk->stretch =
			(struct host_stretch){count->start, count->by, first, count->iterations - 1, UINT64_MAX};
		host->count = outer > UINT64_MAX / 2 / count->iterations ? UINT64_MAX / 2 : outer * count->iterations;
		known = stretch_follow(walk);
	}
	host->count = outer;
	return known;
}

bool host_stretch_loop(struct host *host, const struct node *node, const struct host_count *count, bool *is_complete)
{
	struct stretch_walk walk = {.host = host, .loop = node, .count = count, .is_complete = true};
	size_t mark = host->trail_count;
	unsigned uncertain = host->uncertain;
	bool known;

	if (node->kind == NODE_DO || (node->kind == NODE_FOR && node_child(node, 4)) || count->by == 0 ||
	    count->iterations > INT32_MAX || count->assumed || count->is_bound)
		return false;
	host->uncertain = 0;
	host->stretches++;
	known = stretches_follow(&walk);
	host->stretches--;
	host->uncertain = uncertain;
	if (!known) {
		host->has_ended = false;
		host_undo(host, mark);
		return false;
	}
	host_set(host, count->variable,
	         host_convert(host, host_integer(host, count->start + count->by * (int64_t)count->iterations),
	                      count->variable->type));
	if (node->kind == NODE_WHILE)
		host_evaluate(host, node->children[1]);
	*is_complete = walk.is_complete;
	return true;
}
