/*
 * Integers in constant memory that are no elements of arrays: symbols, as parameters are.
 */
#include "analyzer/walk/walk.h"

#include <string.h>

/* The variable in constant memory that an array stands for, like a parameter. */
static const struct parameter *constant_parameter(struct walk_state *walk, const struct array *array)
{
	struct kernel *kernel = walk->kernel;
	struct parameter *parameter;

	for (unsigned i = 0; i < kernel->constant_count; i++)
		if (strcmp(kernel->constants[i]->name, array->name) == 0)
			return kernel->constants[i];
	parameter = arena_alloc(walk->arena, sizeof(*parameter));
	parameter->name = array->name;
	parameter->index = kernel->parameter_count + kernel->constant_count;
	parameter->type = array->element;
	parameter->place = array->place;
	parameter->is_constant = true;
	ARENA_PUSH(walk->arena, kernel->constants, kernel->constant_count, parameter);
	return parameter;
}

const struct symbol *walk_constant(struct walk_state *walk, const struct access *access)
{
	const struct array *array = access->array;
	const char *name = array->name;
	int64_t element;

	if (array->space != ARRAY_CONSTANT || array->count != 1 || array->is_initialised || access->inner ||
	    !expr_is_constant(access->element, &element) || element != 0 ||
	    (array->element.record ? !access->leaf || access->leaf->count > 1
	                           : access->width_bytes != array->element.size_bytes))
		return NULL;
	if (array->element.record)
		name = arena_printf(walk->arena, "%s.%s", array->name, access->leaf->path);
	for (unsigned i = 0; i < walk->kernel->symbol_count; i++) {
		const struct symbol *symbol = walk->kernel->symbols[i];

		if (symbol->kind == SYMBOL_PARAMETER && symbol->parameter->is_constant &&
		    strcmp(symbol->name, name) == 0)
			return symbol;
	}
	return walk_symbol(
		walk,
		(struct symbol){.kind = SYMBOL_PARAMETER, .name = name, .parameter = constant_parameter(walk, array)});
}
