/*
 * What the measuring program puts into integers. Those that index an array must stay inside of it: the largest value
 * that does is searched for by evaluating the index, at the lowest thread and where possible also at the highest.
 *
 * Assumes that an index grows with the value it is made of.
 */
#include "model/measure/bundle_plan.h"

#include <string.h>

/* ---- indices made of loaded values ---------------------------------------------------- */

static bool is_load_of(const struct expr *expr, const struct scalar_source *source)
{
	if (expr->op != EXPR_LOAD || expr->load->array != source->array)
		return false;
	if (!source->leaf || expr->load->leaf)
		return expr->load->leaf == source->leaf;
	return (uint64_t)expr->value >= source->leaf->offset_bytes &&
	       (uint64_t)expr->value < source->leaf->offset_bytes + source->leaf->count * source->leaf->type.size_bytes;
}

static bool is_made_of(const struct expr *expr, const struct scalar_source *source)
{
	if (!expr)
		return false;
	if (is_load_of(expr, source))
		return true;
	for (unsigned i = 0; i < ARRAY_COUNT(expr->operands); i++)
		if (is_made_of(expr->operands[i], source))
			return true;
	return false;
}

static bool load_is(void *context, const struct access *access, const int64_t *values, int64_t *result)
{
	const int64_t *value = context;
	(void)access;
	(void)values;
	*result = *value;
	return true;
}

static bool stays_inside(const struct expr *index, const int64_t *symbols, int64_t value, uint64_t count)
{
	int64_t result = 0;
	return expr_evaluate(index, symbols, load_is, &value, &result) && result >= 0 && (uint64_t)result < count;
}

/* Symbol values at the highest thread and the last iterations, where these are known. */
static int64_t *symbols_highest(struct arena *arena, const struct launch_case *launch)
{
	const struct kernel *kernel = launch->kernel;
	int64_t *values = arena_array(arena, kernel->symbol_count + 1, sizeof *values);
	memcpy(values, launch->symbols, kernel->symbol_count * sizeof *values);
	for (unsigned i = 0; i < kernel->symbol_count; i++) {
		const struct symbol *symbol = kernel->symbols[i];
		int64_t trips = 0;
		if (symbol->kind == SYMBOL_THREAD)
			values[i] = (int64_t)launch->block[symbol->axis] - 1;
		else if (symbol->kind == SYMBOL_BLOCK)
			values[i] = (int64_t)launch->grid[symbol->axis] - 1;
		else if (symbol->kind == SYMBOL_ITERATOR &&
		         expr_evaluate(symbol->loop->trips, values, NULL, NULL, &trips) && trips > 0)
			values[i] = trips - 1;
	}
	return values;
}

/* How many values from 0 on keep the index inside of an array of count elements; 0: none does. */
static uint64_t values_inside(struct arena *arena, const struct launch_case *launch, const struct expr *index,
                              uint64_t count)
{
	const int64_t *highest = symbols_highest(arena, launch);
	uint64_t inside = 0, beyond = count;
	if (!stays_inside(index, launch->symbols, 0, count))
		return 0;
	if (!stays_inside(index, highest, 0, count))
		highest = launch->symbols;
	while (beyond - inside > 1) {
		uint64_t middle = inside + (beyond - inside) / 2;
		if (stays_inside(index, launch->symbols, (int64_t)middle, count) &&
		    stays_inside(index, highest, (int64_t)middle, count))
			inside = middle;
		else
			beyond = middle;
	}
	return inside + 1;
}

static uint64_t array_elements(const struct launch_case *launch, const struct array *array)
{
	return array->parameter ? launch->extents[array->parameter->index] : array->count;
}

/* How many values from 0 on are good in all indices made of the scalar; UINT64_MAX where none is made of it. */
static uint64_t index_values(struct arena *arena, const struct launch_case *launch, const struct scalar_source *source)
{
	uint64_t least = UINT64_MAX;
	for (unsigned a = 0; a < launch->kernel->access_count; a++) {
		const struct access *access = launch->kernel->accesses[a];
		uint64_t elements = array_elements(launch, access->array), inside = UINT64_MAX;
		if (elements > 0 && is_made_of(access->element, source))
			inside = values_inside(arena, launch, access->element, elements);
		if (inside < least)
			least = inside;
		if (access->inner && access->leaf && is_made_of(access->inner, source))
			inside = values_inside(arena, launch, access->inner, access->leaf->count);
		if (inside < least)
			least = inside;
	}
	return least;
}

/* ---- the content ------------------------------------------------------------------------ */

static bool declared_by_user(const struct case_options *options, const char *name)
{
	for (unsigned i = 0; i < options->index_count; i++)
		if (strcmp(options->indexes[i].name, name) == 0)
			return true;
	return false;
}

/* How many values from 0 on a type has, at most 2^31. */
static uint64_t type_values(const struct type *type)
{
	unsigned bits = type->size_bytes >= 4 ? 31 : 8 * (unsigned)type->size_bytes - (type->scalar == SCALAR_SIGNED);
	return strcmp(type->spelling, "bool") == 0 ? 2 : UINT64_C(1) << bits;
}

/* Uniform in [0, values), as far as the type goes. */
static struct content uniform(const struct type *type, uint64_t values)
{
	uint64_t most = type_values(type);
	return (struct content){.kind = CONTENT_UNIFORM, .low = 0, .high = (int64_t)(values < most ? values : most)};
}

const struct host_symbol *bundle_copied(const struct bundle_request *request, const struct array *array)
{
	const struct analysis *analysis = request->prediction->analysis;
	for (unsigned i = 0; i < analysis->host_symbol_count && array->space == ARRAY_CONSTANT; i++)
		if (strcmp(analysis->host_symbols[i].name, array->name) == 0)
			return &analysis->host_symbols[i];
	return NULL;
}

/* The bytes of a variable in constant memory as far as the launch has them; NULL where it has none. */
static const uint8_t *constant_bytes(const struct bundle_request *request, const struct launch_case *launch,
                                     const struct array *array, const bool **known, uint64_t *size)
{
	const struct host_symbol *symbol = bundle_copied(request, array);
	for (unsigned c = 0; c < launch->kernel->constant_count && array->space == ARRAY_CONSTANT; c++) {
		const struct parameter *constant = launch->kernel->constants[c];
		if (strcmp(constant->name, array->name) != 0)
			continue;
		*known = launch->bytes_known[constant->index];
		*size = constant->type.size_bytes;
		return launch->bytes[constant->index];
	}
	*known = symbol ? symbol->known : NULL;
	*size = symbol ? symbol->size : 0;
	return symbol ? symbol->bytes : NULL;
}

/* Integers in constant memory that the launch says. Returns false where they are not all known. */
static bool content_constant(const struct bundle_request *request, const struct launch_case *launch,
                             const struct scalar_source *source, struct content *content)
{
	const bool *known;
	uint64_t length;
	const uint8_t *bytes = constant_bytes(request, launch, source->array, &known, &length);
	const uint64_t offset = source->leaf ? source->leaf->offset_bytes : 0, size = source->type->size_bytes;
	bool is_signed = source->type->scalar == SCALAR_SIGNED;
	int64_t *values = NULL;
	if (!bytes || (!is_signed && source->type->scalar != SCALAR_UNSIGNED) || size > sizeof *values ||
	    (source->leaf && source->leaf->count > 1))
		return false;
	*content = (struct content){.kind = CONTENT_VALUES, .element_bytes = (unsigned)size};
	for (uint64_t i = 0; i < source->array->count; i++) {
		uint64_t at = i * source->array->element.size_bytes + offset, bits = 0;
		for (uint64_t b = 0; b < size; b++) {
			if (at + b >= length || !known[at + b])
				return false;
			bits |= (uint64_t)bytes[at + b] << 8 * b;
		}
		unsigned unused = 64 - 8 * (unsigned)size;
		int64_t value = is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
		ARENA_PUSH(request->arena, values, content->count, value);
	}
	content->values = values;
	return content->count > 0;
}

struct content bundle_content(const struct bundle_request *request, const struct launch_case *launch,
                              const struct scalar_source *source)
{
	const struct parameter *parameter = source->array->parameter;
	const struct content *given = parameter && !source->leaf ? &launch->contents[parameter->index] : NULL;
	const struct content *member =
		parameter && source->leaf ? case_member_content(launch, parameter, source->leaf) : NULL;
	if (member && !member->supposed)
		return *member;
	if (given && given->kind != CONTENT_UNKNOWN && declared_by_user(&request->options->cases, parameter->name))
		return *given;
	struct content constant;
	if (content_constant(request, launch, source, &constant))
		return constant;
	uint64_t values = index_values(request->arena, launch, source);
	if (values != UINT64_MAX)
		return uniform(source->type, values > 0 ? values : 1);
	if (source->type->scalar == SCALAR_FLOAT)
		return (struct content){.kind = CONTENT_UNKNOWN};
	return uniform(source->type, source->type->size_bytes == 1 ? UINT64_MAX : CASE_SMALL_INTEGERS);
}
