/*
 * Held pointers: arrays of records to which members of a record passed by value point, for rewriting. Their references
 * are found as those of a kernel's parameters are: each function that names one gets a parameter for each such pointer
 * that it spells.
 */
#include "analyzer/passes.h"

#include <string.h>

struct held_search {
	struct analysis *analysis;
	struct source_unit *unit;
	struct kernel *kernel; /* what stands for the function */
	const struct source_function *function;
	const struct source_declaration **variables; /* of each parameter: the variable that it is, or NULL */
};

/* ---- which members ------------------------------------------------------------------------------ */

/* Follows a path to the record that its last member belongs to; *name becomes that member's. */
static const struct record *innermost_record(const struct record *record, const char *path, const char **name)
{
	*name = path;
	for (const char *dot = strchr(path, '.'); record && dot; dot = strchr(*name, '.')) {
		const struct record *inside = NULL;

		for (unsigned m = 0; m < record->member_count; m++)
			if (strlen(record->members[m].name) == (size_t)(dot - *name) &&
			    memcmp(record->members[m].name, *name, (size_t)(dot - *name)) == 0)
				inside = record->members[m].type.record;
		record = inside;
		*name = dot + 1;
	}
	return record;
}

/* Whether kernels reach records through the member of that name. */
static bool is_held(const struct analysis *analysis, const struct record *holder, const char *member)
{
	for (unsigned k = 0; holder && k < analysis->kernel_count; k++)
		for (unsigned a = 0; a < analysis->kernels[k]->array_count; a++) {
			const struct array *array = analysis->kernels[k]->arrays[a];
			const char *name;

			if (array->leaf && array->parameter && array->element.record &&
			    innermost_record(array->parameter->type.record, array->leaf->path, &name) == holder &&
			    strcmp(name, member) == 0)
				return true;
		}
	return false;
}

/* ---- the pointers of a function ------------------------------------------------------------------ */

static bool points_to_records(const struct source_type *type)
{
	return type->shape == SHAPE_POINTER && type->target->shape == SHAPE_RECORD && type->target->type.record;
}

static void pointer_add(struct held_search *search, const struct source_declaration *declaration, const char *name,
                        struct held_pointer held)
{
	struct arena *arena = search->unit->arena;
	struct kernel *kernel = search->kernel;
	struct held_pointer *kept = arena_alloc(arena, sizeof(*kept));
	unsigned index = kernel->parameter_count, count = index;

	*kept = held;
	ARENA_PUSH(arena, search->variables, count, declaration->kind == DECLARATION_FIELD ? NULL : declaration);
	ARENA_PUSH(arena, kernel->parameters, kernel->parameter_count,
	           ((struct parameter){.name = name,
	                               .index = index,
	                               .is_pointer = true,
	                               .is_const = declaration->type->target->is_const,
	                               .type = declaration->type->target->type,
	                               .place = declaration->place,
	                               .range = declaration->range,
	                               .name_range = declaration->name_range,
	                               .held = kept}));
}

/* Index of the pointer that a node, without casts, names; the parameter_count where it names none. */
static unsigned pointer_find(const struct held_search *search, const struct node *node)
{
	const struct kernel *kernel = search->kernel;
	const char *text = search->unit->text + node->range.begin;
	unsigned length = node->range.end - node->range.begin, p = 0;

	for (; p < kernel->parameter_count; p++) {
		const struct parameter *pointer = &kernel->parameters[p];

		if (node->kind == NODE_REFERENCE && search->variables[p] == node->declaration)
			break;
		if (node->kind == NODE_MEMBER && pointer->held->holder && strlen(pointer->name) == length &&
		    memcmp(pointer->name, text, length) == 0 &&
		    pointer->held->holder == node_member_record(node, search->function->object))
			break;
	}
	return p;
}

/* Whether the text of a member is its own, not that of a macro's call. */
static bool spells_member(const struct held_search *search, const struct node *node)
{
	size_t length = strlen(node->declaration->name);

	return node->range.end - node->range.begin >= length &&
	       strncmp(search->unit->text + node->range.end - length, node->declaration->name, length) == 0;
}

static void member_add(struct held_search *search, const struct node *node)
{
	const struct record *holder = node_member_record(node, search->function->object);
	struct source_declaration *declaration = node->declaration;
	bool known = false;

	if (declaration->kind != DECLARATION_FIELD || !points_to_records(declaration->type) ||
	    !is_held(search->analysis, holder, declaration->name))
		return;
	if (pointer_find(search, node) == search->kernel->parameter_count)
		pointer_add(search, declaration,
		            spells_member(search, node)
		                    ? arena_strndup(search->unit->arena, search->unit->text + node->range.begin,
		                                    node->range.end - node->range.begin)
		                    : declaration->name,
		            (struct held_pointer){.holder = holder, .member = declaration->name});
	for (unsigned h = 0; h < search->unit->held_count; h++)
		known |= search->unit->held[h] == declaration;
	if (!known)
		ARENA_PUSH(search->unit->arena, search->unit->held, search->unit->held_count, declaration);
}

static bool pointers_visit(void *context, const struct node *node)
{
	struct held_search *search = context;
	const struct node *value =
		node->kind == NODE_DECLARE && node->child_count ? node_strip_casts(node->children[0]) : NULL;
	unsigned p;

	if (node->kind == NODE_MEMBER)
		member_add(search, node);
	if (!value || !points_to_records(node->declaration->type))
		return true;
	node_visit(value, pointers_visit, search);
	p = pointer_find(search, value);
	if (p < search->kernel->parameter_count)
		pointer_add(search, node->declaration, node->declaration->name, (struct held_pointer){.value = p + 1});
	return false;
}

static const struct parameter *pointer_named(const struct reference_search *finding, const struct node *node)
{
	const struct held_search *search = finding->context;
	unsigned p = pointer_find(search, node);

	return p < search->kernel->parameter_count ? &search->kernel->parameters[p] : NULL;
}

/* ---- the functions ----------------------------------------------------------------------------- */

static void function_search(struct analysis *analysis, struct source_unit *unit, const struct source_function *function)
{
	struct kernel *kernel = arena_alloc(unit->arena, sizeof(*kernel));
	struct held_search search = {analysis, unit, kernel, function, NULL};
	struct reference_search finding = {unit->arena, unit, kernel, function, pointer_named, &search};

	*kernel = (struct kernel){.name = function->name,
	                          .place = function->place,
	                          .definition = function->definition,
	                          .name_range = function->name_range,
	                          .body = function->body_range};
	for (unsigned p = 0; !function->is_kernel && p < function->parameter_count; p++)
		if (points_to_records(function->parameters[p]->type))
			pointer_add(&search, function->parameters[p], function->parameters[p]->name,
			            (struct held_pointer){.is_parameter = true});
	node_visit(function->body, pointers_visit, &search);
	if (kernel->parameter_count == 0)
		return;
	references_find(&finding);
	ARENA_PUSH(unit->arena, analysis->held_functions, analysis->held_function_count, kernel);
}

/* Whether a function is a method of a record that holds such pointers: its constructors fill them. */
static bool is_of_holder(const struct analysis *analysis, const struct source_function *function)
{
	const struct record *object = function->object ? function->object->type.record : NULL;

	for (unsigned m = 0; object && m < object->member_count; m++)
		if (object->members[m].type.scalar == SCALAR_POINTER &&
		    is_held(analysis, object, object->members[m].name))
			return true;
	return false;
}

void held_find_all(struct analysis *analysis, struct source_unit *unit)
{
	bool any = false;

	for (unsigned k = 0; k < analysis->kernel_count; k++)
		for (unsigned a = 0; a < analysis->kernels[k]->array_count; a++)
			any |= analysis->kernels[k]->arrays[a]->leaf && analysis->kernels[k]->arrays[a]->element.record;
	for (unsigned f = 0; any && f < unit->function_count; f++) {
		const struct source_function *function = unit->functions[f];

		if (function->body && function->in_main_file &&
		    (function->is_device || function->is_kernel || is_of_holder(analysis, function)))
			function_search(analysis, unit, function);
	}
}
