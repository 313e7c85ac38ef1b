/*
 * A kernel: its parameters and symbols, the walk over its body, and notes about what the walk could not express.
 */
#include "analyzer/passes.h"
#include "analyzer/walk/walk.h"

/*
 * Nodes that are walked for one kernel, device functions inlined: beyond any real program, and still well below a
 * second.
 */
#define BUDGET_NODES 2000000ul

/* ---- parameters --------------------------------------------------------------------------- */

static struct array *parameter_array(struct walk_state *walk, const struct parameter *parameter, const char *name,
                                     const struct source_type *pointee)
{
	struct array *array = arena_alloc(walk->arena, sizeof(*array));

	while (pointee->shape == SHAPE_ARRAY)
		pointee = pointee->target;
	array->name = name;
	array->space = ARRAY_GLOBAL;
	array->element = pointee->type;
	array->parameter = parameter;
	array->place = parameter->place;
	ARENA_PUSH(walk->arena, walk->kernel->arrays, walk->kernel->array_count, array);
	return array;
}

static const struct walk_value *array_value(struct walk_state *walk, struct array *array,
                                            const struct source_type *pointee)
{
	return walk_pointer(walk, (struct walk_location){.kind = LOCATION_MEMORY,
	                                                 .type = pointee,
	                                                 .array = array,
	                                                 .element = expr_constant(&walk->pool, 0, 32, true)});
}

static const struct symbol *parameter_symbol(struct walk_state *walk, const struct parameter *parameter,
                                             const char *name)
{
	return walk_symbol(walk, (struct symbol){.kind = SYMBOL_PARAMETER, .name = name, .parameter = parameter});
}

/* A member of a record passed by value: integers are symbols, the rest is unknown. */
static const struct walk_value *leaf_parameter(struct walk_state *walk, const struct parameter *parameter,
                                               const struct leaf *leaf)
{
	const char *name = arena_printf(walk->arena, "%s.%s", parameter->name, leaf->path);
	bool is_integer = leaf->type.scalar == SCALAR_SIGNED || leaf->type.scalar == SCALAR_UNSIGNED;

	if (leaf->count > 1 || !is_integer || leaf->type.size_bytes > 8)
		return walk_unknown(walk, NULL, "data that is no integer", parameter->place);
	return walk_scalar(walk,
	                   expr_symbol(&walk->pool, parameter_symbol(walk, parameter, name),
	                               (unsigned)(8 * leaf->type.size_bytes), leaf->type.scalar == SCALAR_SIGNED));
}

/* The pointee's type of a leaf that is a pointer. */
static const struct source_type *leaf_pointee(const struct source_unit *unit, const struct leaf *leaf)
{
	for (unsigned i = 0; i < unit->pointer_count; i++)
		if (unit->pointers[i]->type.spelling == leaf->type.spelling)
			return unit->pointers[i]->target;
	return NULL;
}

/* A member of a record passed by value that points to memory. */
static const struct walk_value *leaf_array(struct walk_state *walk, const struct parameter *parameter,
                                           const struct leaf *leaf, const struct source_type *pointee)
{
	const char *name = arena_printf(walk->arena, "%s.%s", parameter->name, leaf->path);
	struct array *array = parameter_array(walk, parameter, name, pointee);

	array->leaf = leaf;
	return array_value(walk, array, pointee);
}

static const struct walk_value *record_parameter(struct walk_state *walk, struct parameter *parameter)
{
	const struct record *record = parameter->type.record;
	struct walk_value *value = walk_record(walk, record);

	for (unsigned i = 0; i < record->leaf_count; i++) {
		const struct leaf *leaf = &record->leaves[i];
		const struct source_type *pointee =
			leaf->type.scalar == SCALAR_POINTER && leaf->count == 1 ? leaf_pointee(walk->unit, leaf) : NULL;

		value->leaves[i] = pointee && pointee->type.size_bytes ? leaf_array(walk, parameter, leaf, pointee)
		                                                       : leaf_parameter(walk, parameter, leaf);
	}
	return value;
}

/* The value that a parameter has at the beginning. */
static const struct walk_value *parameter_value(struct walk_state *walk, struct parameter *parameter,
                                                const struct source_type *type)
{
	if (type->shape == SHAPE_POINTER && type->target->shape != SHAPE_FUNCTION) {
		parameter->array = parameter_array(walk, parameter, parameter->name, type->target);
		return array_value(walk, parameter->array, type->target);
	}
	if (type_is_integral(type)) {
		parameter->symbol = parameter_symbol(walk, parameter, parameter->name);
		return walk_scalar(walk, expr_symbol(&walk->pool, parameter->symbol, type->bits, type->is_signed));
	}
	if (type->type.record)
		return record_parameter(walk, parameter);
	return walk_unknown(walk, type, "data that is no integer", parameter->place);
}

static void read_parameter(struct walk_state *walk, struct parameter *parameter, struct source_declaration *declaration,
                           unsigned index)
{
	const struct source_type *type = declaration->type, *pointee;

	parameter->name = declaration->name;
	parameter->index = index;
	parameter->is_pointer = type->shape == SHAPE_POINTER;
	parameter->is_restrict = type->is_restrict;
	parameter->type = type->type;
	parameter->place = declaration->place;
	parameter->range = declaration->range;
	parameter->name_range = declaration->name_range;
	if (parameter->is_pointer) {
		pointee = type->target;
		parameter->is_const = pointee->is_const;
		while (pointee->shape == SHAPE_ARRAY)
			pointee = pointee->target;
		parameter->type = pointee->type;
	}
	walk_set(walk, declaration, parameter_value(walk, parameter, type));
}

static void read_parameters(struct walk_state *walk, const struct source_function *function)
{
	struct kernel *kernel = walk->kernel;

	kernel->parameter_count = function->parameter_count;
	kernel->parameters = arena_array(walk->arena, function->parameter_count + 1, sizeof(*kernel->parameters));
	for (unsigned i = 0; i < function->parameter_count; i++)
		read_parameter(walk, &kernel->parameters[i], function->parameters[i], i);
}

/* ---- notes ------------------------------------------------------------------------------------ */

/* One note for each access whose index holds something unknown. */
static void note_unknown_accesses(struct walk_state *walk)
{
	const struct kernel *kernel = walk->kernel;

	for (unsigned i = 0; i < kernel->access_count; i++) {
		const struct access *access = kernel->accesses[i];
		const struct expr *unknown = expr_find_unknown(access->element);

		if (!unknown && access->inner)
			unknown = expr_find_unknown(access->inner);
		if (unknown && access->array->space != ARRAY_LOCAL)
			walk_note(walk, access->place, "the index of '%s' is not known: %s", access->array->name,
			          unknown->reason);
	}
}

/* A pointer to one record is no array of records. */
static void note_indexed_arrays(struct kernel *kernel)
{
	int64_t value;

	for (unsigned i = 0; i < kernel->access_count; i++)
		for (unsigned j = 0; j < kernel->array_count; j++)
			if (kernel->accesses[i]->array == kernel->arrays[j] &&
			    !(expr_is_constant(kernel->accesses[i]->element, &value) && value == 0))
				kernel->arrays[j]->is_indexed = true;
}

/* ---- the entry ----------------------------------------------------------------------------------- */

static struct kernel *kernel_create(struct arena *arena, const struct source_function *function)
{
	struct kernel *kernel = arena_alloc(arena, sizeof(*kernel));

	kernel->name = function->name;
	kernel->mangled = function->mangled;
	kernel->place = function->place;
	kernel->definition = function->definition;
	kernel->name_range = function->name_range;
	kernel->body = function->body_range;
	kernel->is_template_pattern = function->is_pattern;
	return kernel;
}

struct kernel *kernel_read(struct arena *arena, const struct source_unit *unit, const struct source_function *function,
                           struct diagnostics *diagnostics)
{
	struct kernel *kernel = kernel_create(arena, function);
	struct walk_frame frame = {.function = function};
	struct walk_state walk = {.arena = arena,
	                          .unit = unit,
	                          .diagnostics = diagnostics,
	                          .kernel = kernel,
	                          .frame = &frame,
	                          .budget = BUDGET_NODES};

	if (function->is_pattern)
		return kernel;
	walk.pool.arena = arena;
	walk.environment = unit->environment;
	walk.scratch = unit->scratch;
	walk_create_builtins(&walk);
	read_parameters(&walk, function);
	if (function->body)
		walk_statement(&walk, function->body);
	note_unknown_accesses(&walk);
	note_indexed_arrays(kernel);
	walk_undo(&walk, 0);
	return kernel;
}

/* ---- references ------------------------------------------------------------------------ */

static const struct parameter *kernel_parameter_named(const struct reference_search *finding, const struct node *node)
{
	for (unsigned i = 0; node->kind == NODE_REFERENCE && i < finding->function->parameter_count; i++)
		if (finding->function->parameters[i] == node->declaration && finding->kernel->parameters[i].is_pointer)
			return &finding->kernel->parameters[i];
	return NULL;
}

void kernel_find_references(struct arena *arena, const struct source_unit *unit, struct kernel *kernel,
                            const struct source_function *function)
{
	struct reference_search finding = {arena, unit, kernel, function, kernel_parameter_named, NULL};

	references_find(&finding);
}
