/*
 * Host arrays: variables of the host, and members of its classes, that hold device pointers, and every place where the
 * text names one.
 *
 * A variable holds a device pointer when it is allocated (cudaMalloc), copied to or from, freed, or passed to a kernel.
 * What is done with it at each place is told from the call around it, when that call stands in the file's text as it
 * is; anything else is OTHER.
 */
#include "analyzer/host/host.h"

#include <string.h>

/* Calls of the runtime: positions of the device pointer and of its size in bytes, -1 for none. */
static const struct runtime_call {
	const char *name;
	enum host_use use;
	int pointer, size;
} runtime_calls[] = {
	{"cudaMalloc", HOST_ALLOCATE, 0, 1},      {"cudaMallocManaged", HOST_ALLOCATE, 0, 1},
	{"cudaMallocAsync", HOST_ALLOCATE, 0, 1}, {"cudaMemset", HOST_SET, 0, 2},
	{"cudaMemsetAsync", HOST_SET, 0, 2},      {"cudaFree", HOST_FREE, 0, -1},
	{"cudaFreeAsync", HOST_FREE, 0, -1},
};

static const struct runtime_call *runtime_call_of(const struct node *call)
{
	for (unsigned i = 0; call->declaration && i < ARRAY_COUNT(runtime_calls); i++)
		if (strcmp(call->declaration->name, runtime_calls[i].name) == 0 &&
		    call->child_count > 1u + (unsigned)runtime_calls[i].pointer + (runtime_calls[i].size > 0))
			return &runtime_calls[i];
	return NULL;
}

struct source_declaration *host_pointer_declaration(const struct node *node)
{
	struct source_declaration *variable = node_variable(node);

	node = node_strip_casts(node);
	if (variable || !node || node->kind != NODE_MEMBER || node->children[0]->kind != NODE_THIS)
		return variable;
	return node->declaration->type->shape == SHAPE_POINTER && !node->declaration->is_instance ? node->declaration
	                                                                                          : NULL;
}

/* The variable, or the member of this or another object, behind casts. */
static struct source_declaration *held_pointer(const struct node *node)
{
	struct source_declaration *variable = host_pointer_declaration(node);

	node = node_strip_casts(node);
	if (variable || !node || node->kind != NODE_MEMBER || node->declaration->is_instance ||
	    node->declaration->in_system_header)
		return variable;
	return node->declaration;
}

/* The same behind casts and `&`. */
static struct source_declaration *pointer_variable(const struct node *node)
{
	node = node_strip_casts(node);
	if (node && node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS)
		node = node->children[0];
	return held_pointer(node);
}

bool host_is_allocation(const struct node *call, const struct node **pointer, const struct node **size)
{
	const struct runtime_call *row = runtime_call_of(call);

	if (!row || row->use != HOST_ALLOCATE)
		return false;
	*pointer = node_strip_casts(node_argument(call, (unsigned)row->pointer));
	if (*pointer && (*pointer)->kind == NODE_UNARY && (*pointer)->op == OPERATOR_ADDRESS)
		*pointer = (*pointer)->children[0];
	*size = node_argument(call, (unsigned)row->size);
	return true;
}

/* ---- copies -------------------------------------------------------------------------------- */

bool host_is_copy(const struct node *call)
{
	return call->declaration && call->child_count >= 5 &&
	       (strcmp(call->declaration->name, "cudaMemcpy") == 0 ||
	        strcmp(call->declaration->name, "cudaMemcpyAsync") == 0);
}

enum host_copy_kind host_copy_kind(const struct node *call)
{
	const struct node *kind = node_strip_casts(node_argument(call, 3));

	return kind && kind->kind == NODE_INTEGER && kind->value >= 0 && kind->value <= COPY_DEFAULT
	               ? (enum host_copy_kind)kind->value
	               : COPY_DEFAULT;
}

/* ---- which variables ---------------------------------------------------------------------------- */

static bool is_pointer_variable(const struct source_declaration *variable)
{
	return variable && variable->type->shape == SHAPE_POINTER && variable->type->target->shape != SHAPE_FUNCTION;
}

static void make_array(struct host *host, struct source_declaration *variable)
{
	struct host_array *array;

	if (!is_pointer_variable(variable) || host->arrays[variable->slot])
		return;
	array = arena_alloc(host->arena, sizeof(*array));
	array->name = variable->name;
	array->element = variable->type->target->type;
	array->bytes.reason = "no allocation of it was found";
	array->place = variable->place;
	host->arrays[variable->slot] = array;
	ARENA_PUSH(host->arena, host->analysis->host_arrays, host->analysis->host_array_count, array);
}

static bool is_held(const struct host *host, const struct source_declaration *member)
{
	for (unsigned h = 0; member && h < host->unit->held_count; h++)
		if (host->unit->held[h] == member)
			return true;
	return false;
}

/* What is copied to a member that kernels reach records through, or from it, holds a device pointer too. */
static void copied_make(struct host *host, struct source_declaration *to, struct source_declaration *from)
{
	if (is_held(host, to))
		make_array(host, from);
	if (is_held(host, from))
		make_array(host, to);
}

/* The same of the values that braces give to a record's members. */
static void listed_make(struct host *host, const struct node *list)
{
	for (unsigned i = 0; i < list->child_count; i++) {
		struct source_declaration *value = held_pointer(list->children[i]);

		for (unsigned h = 0; is_pointer_variable(value) && h < host->unit->held_count; h++)
			if (host->unit->held[h]->type->target->type.record == value->type->target->type.record)
				make_array(host, value);
	}
}

static bool array_visit(void *context, const struct node *node)
{
	struct host *host = context;
	const struct runtime_call *row = node->kind == NODE_CALL ? runtime_call_of(node) : NULL;

	if (row)
		make_array(host, pointer_variable(node_argument(node, (unsigned)row->pointer)));
	if (node->kind == NODE_CALL && host_is_copy(node)) {
		enum host_copy_kind kind = host_copy_kind(node);

		if (kind == COPY_TO_DEVICE || kind == COPY_ON_DEVICE)
			make_array(host, pointer_variable(node_argument(node, 0)));
		if (kind == COPY_TO_HOST || kind == COPY_ON_DEVICE)
			make_array(host, pointer_variable(node_argument(node, 1)));
	}
	if (node->kind == NODE_ASSIGN && node->op == OPERATOR_NONE)
		copied_make(host, held_pointer(node->children[0]), held_pointer(node->children[1]));
	if (node->kind == NODE_DECLARE && node->child_count > 0)
		copied_make(host, node->declaration, held_pointer(node->children[0]));
	if (node->kind == NODE_LIST)
		listed_make(host, node);
	for (unsigned i = 1; node->kind == NODE_LAUNCH && i < node->child_count; i++)
		make_array(host, held_pointer(node->children[i]));
	return true;
}

/* ---- references -------------------------------------------------------------------------------------- */

/* What stands around the node that is looked at. */
struct surroundings {
	const struct node *call;      /* the innermost CALL or LAUNCH of which it is (part of) an argument */
	unsigned position;            /* of the argument */
	bool is_whole;                /* it is the argument itself, casts and `&` ignored */
	const struct node *measure;   /* the innermost sizeof */
	const struct node *outermost; /* the expression statement or initializer */
};

static bool text_begins(const struct host *host, struct range range, const char *text)
{
	size_t length = strlen(text);

	return range.end - range.begin >= length && strncmp(host->unit->text + range.begin, text, length) == 0;
}

static struct range range_of(const struct node *node)
{
	return node ? node->range : (struct range){0, 0};
}

/* Fills use, statement, size and other from the call around it; leaves OTHER where the call is another one. */
static void classify_call(struct host *host, struct host_reference *reference, const struct surroundings *around)
{
	const struct node *call = around->call;
	const struct runtime_call *row = runtime_call_of(call);
	enum host_copy_kind kind;

	if (call->kind == NODE_LAUNCH) {
		reference->use = HOST_ARGUMENT;
	} else if (row && (int)around->position == row->pointer) {
		reference->use = row->use;
		reference->size =
			row->size >= 0 ? range_of(node_argument(call, (unsigned)row->size)) : (struct range){0, 0};
	} else if (host_is_copy(call) && around->position < 2) {
		kind = host_copy_kind(call);
		reference->size = range_of(node_argument(call, 2));
		reference->other = range_of(node_argument(call, 1 - around->position));
		reference->use = kind == COPY_ON_DEVICE  ? HOST_COPY_DEVICE
		                 : around->position == 0 ? HOST_COPY_IN
		                                         : HOST_COPY_OUT;
		if ((kind == COPY_TO_DEVICE && around->position == 1) ||
		    (kind == COPY_TO_HOST && around->position == 0) || kind == COPY_HOST_TO_HOST)
			reference->use = HOST_OTHER;
	}
	if (reference->use != HOST_OTHER && call->kind == NODE_CALL &&
	    !text_begins(host, call->range, call->declaration->name))
		reference->use = HOST_OTHER;
}

/* Where the name of an array stands in an expression: alone, or behind an object, `this->name`; an empty range
 * elsewhere. */
static struct range name_range(const struct host *host, const struct node *node, const char *name)
{
	const struct range none = {0, 0};
	struct range range = node->range;
	size_t length = strlen(name);

	if (node->kind == NODE_MEMBER && range.end - range.begin > length + 1 &&
	    strchr(".>", host->unit->text[range.end - length - 1]))
		range.begin = range.end - (unsigned)length;
	return range.end - range.begin == length && text_begins(host, range, name) ? range : none;
}

static void push_reference(struct host *host, const struct node *node, const struct surroundings *around)
{
	struct host_array *array = host->arrays[node->declaration->slot];
	struct host_reference reference = {.use = HOST_OTHER, .place = node->place};

	if (!array)
		return;
	reference.name = name_range(host, node, array->name);
	if (around->measure) {
		reference.use = HOST_SIZEOF;
		reference.statement = around->measure->range;
	} else if (around->call && around->is_whole) {
		classify_call(host, &reference, around);
		reference.statement = around->call->range;
	}
	if (reference.use == HOST_OTHER || !reference.name.end) {
		reference.use = HOST_OTHER;
		reference.statement = range_of(around->outermost);
		reference.size = reference.other = (struct range){0, 0};
	}
	ARENA_PUSH(host->arena, array->references, array->reference_count, reference);
}

/* The declarator's text: from its stars to the end of its initializer. */
static struct range declarator(const struct host *host, const struct source_declaration *variable)
{
	struct range range = {variable->name_range.begin, variable->range.end};
	unsigned at = range.begin;

	while (at > 0 && strchr(" \t\r\n*", host->unit->text[at - 1]))
		if (host->unit->text[--at] == '*')
			range.begin = at;
	return range;
}

static void push_declaration(struct host *host, const struct source_declaration *variable)
{
	struct host_array *array = host->arrays[variable->slot];

	if (!array)
		return;
	for (unsigned i = 0; i < array->reference_count; i++)
		if (array->references[i].use == HOST_DECLARE)
			return;
	ARENA_PUSH(host->arena, array->references, array->reference_count,
	           (struct host_reference){.use = HOST_DECLARE,
	                                   .statement = declarator(host, variable),
	                                   .name = variable->name_range,
	                                   .place = variable->place});
}

static void find_references(struct host *host, const struct node *node, struct surroundings around);

static void find_in_arguments(struct host *host, const struct node *node, struct surroundings around)
{
	for (unsigned i = 0; i < node->child_count; i++) {
		if (!node->children[i])
			continue;
		around.call = i == 0 ? around.call : node;
		around.position = i - 1;
		around.is_whole = i > 0;
		find_references(host, node->children[i], around);
	}
}

static bool is_transparent(const struct node *node)
{
	return node->kind == NODE_CAST || (node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS);
}

static void find_references(struct host *host, const struct node *node, struct surroundings around)
{
	if (node->kind == NODE_REFERENCE && node->declaration->kind != DECLARATION_FUNCTION)
		push_reference(host, node, &around);
	if (node->kind == NODE_MEMBER && node->declaration->type->shape == SHAPE_POINTER) {
		push_declaration(host, node->declaration);
		push_reference(host, node, &around);
	}
	if (node->kind == NODE_DECLARE) {
		push_declaration(host, node->declaration);
		around.outermost = NULL;
	}
	if (!around.outermost && node->type)
		around.outermost = node;
	if (node->kind == NODE_INTEGER)
		around.measure = node;
	if (node->kind == NODE_CALL || node->kind == NODE_LAUNCH) {
		find_in_arguments(host, node, around);
		return;
	}
	around.is_whole = around.is_whole && is_transparent(node);
	if (!node->type)
		around.outermost = NULL;
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i])
			find_references(host, node->children[i], around);
}

/* ---- the entry ------------------------------------------------------------------------------------------ */

static bool is_read(const struct source_function *function)
{
	return function->body && function->in_main_file && !function->is_kernel && function->is_host;
}

/* Pointers of the file itself and of functions' parameters are declared where no statement is. */
static void declare_parameters(struct host *host, const struct source_function *function)
{
	for (unsigned i = 0; i < function->parameter_count; i++)
		push_declaration(host, function->parameters[i]);
}

struct global_search {
	struct host *host;
};

static bool global_visit(void *context, const struct node *node)
{
	struct global_search *search = context;

	if (node->kind == NODE_REFERENCE && node->declaration->kind == DECLARATION_VARIABLE &&
	    node->declaration->is_global)
		push_declaration(search->host, node->declaration);
	return true;
}

void host_find_arrays(struct host *host)
{
	const struct source_unit *unit = host->unit;
	struct global_search search = {host};

	for (unsigned i = 0; i < unit->function_count; i++)
		if (is_read(unit->functions[i]))
			node_visit(unit->functions[i]->body, array_visit, host);
	for (unsigned h = 0; h < unit->held_count; h++) {
		make_array(host, unit->held[h]);
		push_declaration(host, unit->held[h]);
	}
	for (unsigned i = 0; i < unit->function_count; i++) {
		if (!is_read(unit->functions[i]))
			continue;
		declare_parameters(host, unit->functions[i]);
		node_visit(unit->functions[i]->body, global_visit, &search);
		find_references(host, unit->functions[i]->body, (struct surroundings){0});
	}
}
