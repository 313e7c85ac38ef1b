/*
 * Constants of the host: integers in C's arithmetic, reals, dim3, addresses of variables and kernels.
 */
#include "analyzer/host/host.h"

#include <math.h>
#include <string.h>

static struct host_constant *constant_make(struct host *host, enum host_constant_kind kind)
{
	struct host_constant *constant = arena_alloc(host->arena, sizeof(*constant));

	constant->kind = kind;
	return constant;
}

const struct host_constant *host_integer(struct host *host, int64_t value)
{
	struct host_constant *constant = constant_make(host, CONSTANT_INTEGER);

	constant->value = value;
	return constant;
}

const struct host_constant *host_unknown(struct host *host, const char *reason)
{
	struct host_constant *constant = constant_make(host, CONSTANT_UNKNOWN);

	constant->reason = reason;
	return constant;
}

const struct host_constant *host_unknown_name(struct host *host, const char *before, const char *name,
                                              const char *after)
{
	size_t first = strlen(before), length = strlen(name), last = strlen(after);
	char *reason = arena_alloc(host->arena, first + length + last + 1);

	stpcpy(stpcpy(stpcpy(reason, before), name), after);
	return host_unknown(host, reason);
}

const struct host_constant *host_triple(struct host *host, const struct host_constant *const parts[3])
{
	struct host_constant *constant = constant_make(host, CONSTANT_TRIPLE);

	memcpy(constant->parts, parts, sizeof(constant->parts));
	return constant;
}

const struct host_constant *host_real(struct host *host, double real)
{
	struct host_constant *constant = constant_make(host, CONSTANT_REAL);

	constant->real = real;
	return constant;
}

const struct host_constant *host_string(struct host *host, const char *text)
{
	struct host_constant *constant = constant_make(host, CONSTANT_STRING);

	constant->text = text;
	return constant;
}

const struct host_constant *host_address(struct host *host, enum host_constant_kind kind, struct host_place place)
{
	struct host_constant *constant = constant_make(host, kind);

	constant->variable = place.variable;
	constant->value = (int64_t)place.offset;
	return constant;
}

static struct host_allocation *allocation_make(struct host *host)
{
	struct host_allocation *allocation = arena_alloc(host->arena, sizeof(*allocation));

	*allocation = (struct host_allocation){.times = host->count, .released = UINT64_MAX};
	return allocation;
}

const struct host_constant *host_memory(struct host *host, int64_t bytes)
{
	struct host_constant *constant = constant_make(host, CONSTANT_MEMORY);

	constant->value = bytes;
	constant->allocation = allocation_make(host);
	return constant;
}

const struct host_constant *host_container(struct host *host, const struct host_constant *count)
{
	struct host_constant *constant = constant_make(host, CONSTANT_CONTAINER);

	constant->parts[0] = count;
	constant->allocation = allocation_make(host);
	return constant;
}

const struct host_constant *host_container_copy(struct host *host, const struct host_constant *container)
{
	struct host_constant *copy = constant_make(host, CONSTANT_CONTAINER);

	*copy = *container;
	copy->value = 0;
	copy->allocation = allocation_make(host);
	return copy;
}

const struct host_constant *host_container_exposed(struct host *host, const struct host_constant *container)
{
	struct host_constant *exposed = constant_make(host, CONSTANT_CONTAINER);

	exposed->parts[0] = container->parts[0];
	exposed->value = 1;
	exposed->allocation = container->allocation;
	return exposed;
}

bool host_is_pointer(const struct host_constant *constant)
{
	return constant->kind == CONSTANT_STRING || constant->kind == CONSTANT_ADDRESS ||
	       constant->kind == CONSTANT_MEMORY || constant->kind == CONSTANT_FUNCTION;
}

const struct host_constant *host_move(struct host *host, const struct host_constant *pointer, int64_t bytes)
{
	struct host_constant *moved = constant_make(host, pointer->kind);

	*moved = *pointer;
	if (pointer->kind == CONSTANT_STRING && bytes >= 0 && (uint64_t)bytes <= strlen(pointer->text))
		moved->text += bytes;
	else if (pointer->kind == CONSTANT_ADDRESS)
		moved->value += bytes;
	else if (pointer->kind == CONSTANT_MEMORY && pointer->value >= 0)
		moved->value = bytes <= pointer->value ? pointer->value - bytes : 0;
	else if (pointer->kind != CONSTANT_MEMORY)
		return host_unknown(host, "a pointer that is moved");
	return moved;
}

/* A result made of others is assumed where one of them is. */
static const struct host_constant *derived(struct host *host, const struct host_constant *result,
                                           const struct host_constant *a, const struct host_constant *b)
{
	const struct host_constant *from = a->assumed ? a : b && b->assumed ? b : NULL;
	struct host_constant *copy;

	if (!from || result->kind == CONSTANT_UNKNOWN)
		return result;
	copy = constant_make(host, result->kind);
	*copy = *result;
	copy->assumed = true;
	copy->reason = from->reason;
	return copy;
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

static double as_real(const struct host_constant *a)
{
	return a->kind == CONSTANT_REAL ? a->real : (double)a->value;
}

/* A number in the precision of its type. */
static double rounded(double real, const struct source_type *type)
{
	return type && type->shape == SHAPE_FLOAT && type->type.size_bytes == sizeof(float) ? (double)(float)real
	                                                                                    : real;
}

static bool is_number(const struct host_constant *a)
{
	return a->kind == CONSTANT_INTEGER || a->kind == CONSTANT_REAL;
}

static const struct host_constant *why_unknown(struct host *host, const struct host_constant *a,
                                               const struct host_constant *b)
{
	if (a->kind == CONSTANT_UNKNOWN && a->reason)
		return a->assumed ? host_unknown(host, a->reason) : a;
	if (b && b->kind == CONSTANT_UNKNOWN && b->reason)
		return b->assumed ? host_unknown(host, b->reason) : b;
	return host_unknown(host, "an expression that is no number");
}

static enum expr_op expr_op_of(enum node_operator op)
{
	switch (op) {
#define X(name, spelling, operands)                                                                                    \
	case OPERATOR_##name:                                                                                          \
		return EXPR_##name;
		EXPR_OPERATORS(X)
#undef X
	default:
		return EXPR_UNKNOWN;
	}
}

enum node_operator host_mirrored(enum node_operator op)
{
	switch (op) {
	case OPERATOR_LT:
		return OPERATOR_GT;
	case OPERATOR_LE:
		return OPERATOR_GE;
	case OPERATOR_GT:
		return OPERATOR_LT;
	case OPERATOR_GE:
		return OPERATOR_LE;
	default:
		return op;
	}
}

static const struct host_constant *real_binary(struct host *host, enum node_operator op, double a, double b,
                                               const struct source_type *type)
{
	switch (op) {
	case OPERATOR_ADD:
		return host_real(host, rounded(a + b, type));
	case OPERATOR_SUB:
		return host_real(host, rounded(a - b, type));
	case OPERATOR_MUL:
		return host_real(host, rounded(a * b, type));
	case OPERATOR_DIV:
		return host_real(host, rounded(a / b, type));
	case OPERATOR_LT:
		return host_integer(host, a < b);
	case OPERATOR_LE:
		return host_integer(host, a <= b);
	case OPERATOR_GT:
		return host_integer(host, a > b);
	case OPERATOR_GE:
		return host_integer(host, a >= b);
	default:
		return host_unknown(host, "an operation on reals");
	}
}

static bool is_comparison(enum expr_op op)
{
	return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE || op == EXPR_EQ || op == EXPR_NE;
}

static bool is_connective(enum expr_op op)
{
	return op == EXPR_LOGICAL_AND || op == EXPR_LOGICAL_OR;
}

/* Integer arithmetic is that of the kernel's expressions; what C leaves undefined they may still know. */
static const struct host_constant *integer_binary(struct host *host, enum node_operator op, int64_t a, int64_t b,
                                                  const struct source_type *operand_type,
                                                  const struct source_type *type)
{
	struct expr_pool *pool = &host->pool;
	unsigned bits = type_is_integral(operand_type) ? operand_type->bits : 64;
	bool is_signed = !type_is_integral(operand_type) || operand_type->is_signed;
	unsigned result_bits = type_is_integral(type) ? type->bits : 64;
	bool result_signed = !type_is_integral(type) || type->is_signed;
	enum expr_op wanted = expr_op_of(op);
	const struct expr *result;
	int64_t value;

	if (wanted == EXPR_UNKNOWN)
		return host_unknown(host, "an operator outside the model");
	if (!is_connective(wanted) && expr_apply(wanted, expr_normalise(a, bits, is_signed),
	                                         expr_normalise(b, bits, is_signed), bits, is_signed, &value))
		return host_integer(host,
		                    expr_normalise(value, is_comparison(wanted) ? 1 : result_bits, result_signed));
	result = expr_binary(pool, wanted, expr_constant(pool, a, bits, is_signed),
	                     expr_constant(pool, b, bits, is_signed), result_bits, result_signed);
	return expr_is_constant(result, &value) ? host_integer(host, value)
	                                        : host_unknown(host, "an undefined operation");
}

static bool is_null(const struct host_constant *a)
{
	return a->kind == CONSTANT_INTEGER && a->value == 0;
}

const struct host_constant *host_binary(struct host *host, enum node_operator op, const struct host_constant *a,
                                        const struct host_constant *b, const struct source_type *operand_type,
                                        const struct source_type *type)
{
	const struct host_constant *result;

	if ((op == OPERATOR_EQ || op == OPERATOR_NE) && (is_null(a) || is_null(b)) &&
	    (host_is_pointer(a) || host_is_pointer(b)))
		return derived(host, host_integer(host, op == OPERATOR_NE), a, b);
	result = host_stepped_binary(host, op, a, b, type);
	if (result)
		return result;
	if (!is_number(a) || !is_number(b))
		return why_unknown(host, a, b);
	if (a->kind == CONSTANT_REAL || b->kind == CONSTANT_REAL)
		result = real_binary(host, op, as_real(a), as_real(b), type);
	else
		result = integer_binary(host, op, a->value, b->value, operand_type, type);
	return derived(host, result, a, b);
}

const struct host_constant *host_unary(struct host *host, enum node_operator op, const struct host_constant *a,
                                       const struct source_type *type)
{
	const struct host_constant *result;

	if (op == OPERATOR_LOGICAL_NOT && host_is_pointer(a))
		return derived(host, host_integer(host, 0), a, NULL);
	if (!is_number(a))
		return why_unknown(host, a, NULL);
	if (op == OPERATOR_LOGICAL_NOT)
		result = host_integer(host, a->kind == CONSTANT_REAL ? !(a->real < 0 || a->real > 0) : !a->value);
	else if (op == OPERATOR_NEG && a->kind == CONSTANT_REAL)
		result = host_real(host, -a->real);
	else if (a->kind == CONSTANT_REAL)
		return host_unknown(host, "an operation on reals");
	else
		result = host_convert(
			host, host_integer(host, op == OPERATOR_NEG ? (int64_t)(0 - (uint64_t)a->value) : ~a->value),
			type);
	return derived(host, result, a, NULL);
}

/* A number as one of a type for reals. */
static const struct host_constant *real_converted(struct host *host, const struct host_constant *a,
                                                  const struct source_type *type)
{
	double real = rounded(as_real(a), type);
	bool is_same = a->kind == CONSTANT_REAL && !(real < a->real) && !(real > a->real);

	return is_same ? a : derived(host, host_real(host, real), a, NULL);
}

const struct host_constant *host_convert(struct host *host, const struct host_constant *a,
                                         const struct source_type *type)
{
	const double limit = 9e18;
	const struct host_constant *stepped = host_stepped_convert(host, a, type);
	int64_t value;

	if (stepped || !is_number(a))
		return stepped ? stepped : a;
	if (type->shape == SHAPE_FLOAT)
		return real_converted(host, a, type);
	if (!type_is_integral(type))
		return a;
	if (a->kind == CONSTANT_REAL && !(a->real > -limit && a->real < limit))
		return host_unknown(host, "a real too large for an integer");
	value = a->kind == CONSTANT_REAL ? (int64_t)a->real : a->value;
	if (type->shape == SHAPE_BOOL)
		value = value != 0;
	value = expr_normalise(value, type->bits, type->is_signed);
	if (a->kind == CONSTANT_INTEGER && value == a->value)
		return a;
	return derived(host, host_integer(host, value), a, NULL);
}

bool host_truth(const struct host_constant *constant, bool *truth)
{
	if (host_is_pointer(constant)) {
		*truth = true;
		return !constant->assumed;
	}
	if (!is_number(constant) || constant->assumed)
		return false;
	*truth = constant->kind == CONSTANT_REAL ? constant->real < 0 || constant->real > 0 : constant->value != 0;
	return true;
}

/* ---- functions -------------------------------------------------------------------------------- */

/* The function of a name; names that end in f are theirs too. */
static double (*real_function(const char *name))(double)
{
	static const struct {
		const char *name;
		double (*function)(double);
	} functions[] = {
		{"ceil", ceil},   {"floor", floor},  {"sqrt", sqrt},      {"cbrt", cbrt},   {"log", log},
		{"log2", log2},   {"log10", log10},  {"exp", exp},        {"exp2", exp2},   {"fabs", fabs},
		{"round", round}, {"lround", round}, {"llround", round},  {"trunc", trunc}, {"rint", rint},
		{"lrint", rint},  {"llrint", rint},  {"nearbyint", rint}, {"log1p", log1p}, {"expm1", expm1},
	};

	for (unsigned i = 0; i < ARRAY_COUNT(functions); i++) {
		size_t length = strlen(functions[i].name);

		if (strncmp(name, functions[i].name, length) == 0 && (!name[length] || strcmp(name + length, "f") == 0))
			return functions[i].function;
	}
	return NULL;
}

static const struct host_constant *smaller_or_larger(const struct host_constant *a, const struct host_constant *b,
                                                     bool larger)
{
	bool less =
		a->kind == CONSTANT_REAL || b->kind == CONSTANT_REAL ? as_real(a) < as_real(b) : a->value < b->value;

	return less == larger ? b : a;
}

/* max, fmax, fmaxf; or the same of min. */
static bool is_extreme(const char *name, const char *extreme)
{
	size_t length = strlen(extreme);

	name += name[0] == 'f';
	return strncmp(name, extreme, length) == 0 && (!name[length] || strcmp(name + length, "f") == 0);
}

const struct host_constant *host_mathematics(struct host *host, const char *name,
                                             const struct host_constant *const *arguments, unsigned count,
                                             const struct source_type *type)
{
	double (*function)(double) = count == 1 ? real_function(name) : NULL;
	const struct host_constant *result;

	if (count == 2 && (is_extreme(name, "min") || is_extreme(name, "max"))) {
		if (!is_number(arguments[0]) || !is_number(arguments[1]))
			return why_unknown(host, arguments[0], arguments[1]);
		result = smaller_or_larger(arguments[0], arguments[1], is_extreme(name, "max"));
		return derived(host, host_convert(host, result, type_strip_reference(type)), arguments[0],
		               arguments[1]);
	}
	if (count == 2 && (strcmp(name, "pow") == 0 || strcmp(name, "powf") == 0) && is_number(arguments[0]) &&
	    is_number(arguments[1]))
		return derived(host, host_real(host, pow(as_real(arguments[0]), as_real(arguments[1]))), arguments[0],
		               arguments[1]);
	if (count == 1 && (strcmp(name, "abs") == 0 || strcmp(name, "labs") == 0) && is_number(arguments[0]))
		return arguments[0]->kind == CONSTANT_REAL
		               ? derived(host, host_real(host, fabs(arguments[0]->real)), arguments[0], NULL)
		       : arguments[0]->value < 0 ? host_unary(host, OPERATOR_NEG, arguments[0], type)
		                                 : arguments[0];
	if (!function)
		return NULL;
	return is_number(arguments[0])
	               ? derived(host, host_convert(host, host_real(host, function(as_real(arguments[0]))), type),
	                         arguments[0], NULL)
	               : why_unknown(host, arguments[0], NULL);
}
