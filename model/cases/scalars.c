/*
 * Scalars of a launch: parameters, and members of records passed by value; and those in constant memory. The user's
 * values go before those that main computes; of integers that nobody says, assume.c tells what they are.
 */
#include "model/cases/cases.h"

#include <string.h>

void case_scalar_set(struct launch_case *launch, const struct parameter *parameter, const struct leaf *leaf,
                     int64_t value)
{
	unsigned index = parameter->index;
	if (!leaf) {
		launch->known[index] = true;
		launch->values[index] = value;
		if (parameter->is_constant) {
			memcpy(launch->bytes[index], &value, parameter->type.size_bytes);
			memset(launch->bytes_known[index], true, parameter->type.size_bytes);
		}
		return;
	}
	memcpy(launch->bytes[index] + leaf->offset_bytes, &value, leaf->type.size_bytes);
	memset(launch->bytes_known[index] + leaf->offset_bytes, true, leaf->type.size_bytes);
}

/* The value of a scalar as an integer; false where it is not known. */
static bool scalar_value(const struct launch_case *launch, const struct parameter *parameter, const struct leaf *leaf,
                         int64_t *value)
{
	unsigned index = parameter->index;
	if (!leaf) {
		*value = launch->values[index];
		return launch->known[index];
	}
	if (!launch->bytes_known[index][leaf->offset_bytes])
		return false;
	uint64_t bits = 0;
	unsigned unused = 64 - 8 * (unsigned)leaf->type.size_bytes;
	memcpy(&bits, launch->bytes[index] + leaf->offset_bytes, leaf->type.size_bytes);
	*value = leaf->type.scalar == SCALAR_SIGNED ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
	return true;
}

/* ---- one scalar --------------------------------------------------------------------- */

static bool scalar_from_option(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                               const struct leaf *leaf, const struct case_options *options,
                               struct diagnostics *diagnostics)
{
	const char *name = leaf ? arena_printf(arena, "%s.%s", parameter->name, leaf->path) : parameter->name;
	const struct named_value *option =
		case_option(arena, options->arguments, options->argument_count, launch->kernel, name);
	int64_t value = 0;
	if (!option)
		return false;
	const char *problem = case_value_parse(arena, option->value, leaf ? &leaf->type : &parameter->type, &value);
	if (problem)
		diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){NULL, 0, 0}, "--arg %s=%s: %s",
		                   option->name, option->value, problem);
	case_scalar_set(launch, parameter, leaf, value);
	return true;
}

static void scalar_from_host(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                             const struct leaf *leaf, const struct host_value *host)
{
	const struct type *type = leaf ? &leaf->type : &parameter->type;
	bool is_real = type->scalar == SCALAR_FLOAT;
	if (!host || host->array || !(host->known || (is_real && host->has_real)))
		return;
	double real = host->has_real ? host->real : (double)host->value;
	case_scalar_set(launch, parameter, leaf, is_real ? case_real_bits(real, type->size_bytes) : host->value);
	if (host->assumed && !is_real) {
		const char *name = leaf ? arena_printf(arena, "%s.%s", parameter->name, leaf->path) : parameter->name;
		struct case_assumption assumption = {
			.kind = ASSUMED_SCALAR, .name = name, .number = host->value, .reason = host->reason};
		assumption.value = arena_printf(arena, "%lld", (long long)host->value);
		assumption.note =
			arena_printf(arena, "value of parameter %s of %s is assumed %s: %s: give --arg %s=", name,
		                     launch->kernel->name, assumption.value, host->reason, name);
		case_assume(arena, launch, assumption);
	}
}

static void scalar_fill(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                        const struct leaf *leaf, const struct host_value *host, const struct case_options *options,
                        struct diagnostics *diagnostics)
{
	if (!scalar_from_option(arena, launch, parameter, leaf, options, diagnostics))
		scalar_from_host(arena, launch, parameter, leaf, host);
}

static bool is_number(const struct parameter *parameter, const struct leaf *leaf)
{
	return leaf->type.scalar != SCALAR_POINTER && leaf->type.scalar != SCALAR_OTHER &&
	       leaf->type.size_bytes <= sizeof(int64_t) &&
	       leaf->offset_bytes + leaf->type.size_bytes <= parameter->type.size_bytes;
}

/* The user's values for members. */
static void record_options(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                           const struct case_options *options, struct diagnostics *diagnostics)
{
	for (unsigned l = 0; l < parameter->type.record->leaf_count; l++)
		if (parameter->type.record->leaves[l].count == 1 &&
		    is_number(parameter, &parameter->type.record->leaves[l]))
			scalar_from_option(arena, launch, parameter, &parameter->type.record->leaves[l], options,
			                   diagnostics);
}

/* The elements of a member array that the host knows. */
static void elements_fill(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                          const struct leaf *leaf, const struct host_value *host)
{
	for (uint64_t i = 0; host && i < host->leaf_count; i++) {
		struct leaf element = *leaf;
		element.path = arena_printf(arena, "%s[%llu]", leaf->path, (unsigned long long)i);
		element.offset_bytes += i * leaf->stride_bytes;
		element.count = 1;
		if (is_number(parameter, &element))
			scalar_from_host(arena, launch, parameter, &element, &host->leaves[i]);
	}
}

static void record_fill(struct arena *arena, struct launch_case *launch, const struct parameter *parameter,
                        const struct host_value *host, const struct case_options *options,
                        struct diagnostics *diagnostics)
{
	const struct record *record = parameter->type.record;
	launch->bytes[parameter->index] = arena_array(arena, parameter->type.size_bytes + sizeof(int64_t), 1);
	launch->bytes_known[parameter->index] = arena_array(arena, parameter->type.size_bytes + 1, sizeof(bool));
	for (unsigned l = 0; l < record->leaf_count; l++) {
		const struct leaf *leaf = &record->leaves[l];
		const struct host_value *value = host && host->leaves ? &host->leaves[l] : NULL;
		if (leaf->count > 1)
			elements_fill(arena, launch, parameter, leaf, value);
		else if (is_number(parameter, leaf))
			scalar_fill(arena, launch, parameter, leaf, value, options, diagnostics);
	}
}

/* A variable in constant memory: the user's value, else what the host copies there. */
static void constant_fill(struct arena *arena, struct launch_case *launch, const struct parameter *constant,
                          const struct case_options *options, struct diagnostics *diagnostics)
{
	const struct host_symbol *copied = constant->copied;
	const uint64_t size = constant->type.size_bytes;
	bool *known = arena_array(arena, size + 1, sizeof *known);
	uint8_t *bytes = arena_array(arena, size + sizeof(int64_t), 1);
	for (uint64_t i = 0; copied && i < size && i < copied->size; i++) {
		known[i] = copied->known[i];
		bytes[i] = copied->bytes[i];
	}
	launch->bytes[constant->index] = bytes;
	launch->bytes_known[constant->index] = known;
	if (constant->type.record) {
		record_options(arena, launch, constant, options, diagnostics);
		return;
	}
	const struct leaf whole = {.type = constant->type, .count = 1};
	int64_t value;
	if (scalar_value(launch, constant, &whole, &value))
		case_scalar_set(launch, constant, NULL, value);
	scalar_from_option(arena, launch, constant, NULL, options, diagnostics);
}

/* ---- all of a launch -------------------------------------------------------------------- */

const struct leaf *case_symbol_leaf(const struct symbol *symbol)
{
	return symbol->parameter->type.record
	               ? case_member_named(symbol->parameter, symbol->parameter->name, symbol->name)
	               : NULL;
}

static void symbol_fill(struct launch_case *launch, const struct symbol *symbol)
{
	bool constant = symbol->kind == SYMBOL_BLOCK_SIZE || symbol->kind == SYMBOL_GRID_SIZE;
	int64_t *value = &launch->symbols[symbol->index];
	launch->symbol_known[symbol->index] = constant;
	if (constant)
		*value = symbol->kind == SYMBOL_BLOCK_SIZE ? launch->block[symbol->axis] : launch->grid[symbol->axis];
	else if (symbol->kind == SYMBOL_PARAMETER && (!symbol->parameter->type.record || case_symbol_leaf(symbol)))
		launch->symbol_known[symbol->index] =
			scalar_value(launch, symbol->parameter, case_symbol_leaf(symbol), value);
}

void case_scalars_fill(struct arena *arena, struct launch_case *launch, const struct launch *found,
                       const struct case_options *options, struct diagnostics *diagnostics)
{
	const struct kernel *kernel = launch->kernel;
	for (unsigned i = 0; i < kernel->parameter_count; i++) {
		const struct parameter *parameter = &kernel->parameters[i];
		const struct host_value *host = found ? &found->arguments[i] : NULL;
		if (parameter->is_pointer)
			continue;
		if (parameter->type.record)
			record_fill(arena, launch, parameter, host, options, diagnostics);
		else
			scalar_fill(arena, launch, parameter, NULL, host, options, diagnostics);
	}
	for (unsigned i = 0; i < kernel->constant_count; i++)
		constant_fill(arena, launch, kernel->constants[i], options, diagnostics);
	launch->symbols = arena_array(arena, kernel->symbol_count + 1, sizeof *launch->symbols);
	launch->symbol_known = arena_array(arena, kernel->symbol_count + 1, sizeof *launch->symbol_known);
	for (unsigned i = 0; i < kernel->symbol_count; i++)
		symbol_fill(launch, kernel->symbols[i]);
}
