/*
 * Calls of the host: functions of the file are walked where they are called, with what is known about their arguments.
 */
#include "analyzer/host/library/library.h"

#include <string.h>

static bool is_on_stack(const struct host *host, const struct source_function *function)
{
	for (unsigned i = 0; i < host->stack_depth; i++)
		if (host->stack[i] == function)
			return true;
	return false;
}

static bool may_walk(const struct host *host, const struct source_function *function)
{
	return function->body && !function->is_kernel && host->stack_depth < ARRAY_COUNT(host->stack) &&
	       !is_on_stack(host, function);
}

/* A function's pointer is the caller's for this call: what was allocated for that one is its extent. */
static void bind_array(struct host *host, const struct source_declaration *parameter, const struct node *argument)
{
	const struct source_declaration *variable = argument ? node_variable(argument) : NULL;
	struct host_array *inner = host->arrays[parameter->slot],
			  *outer = variable ? host->arrays[variable->slot] : NULL;

	if (!inner || !outer)
		return;
	if (inner->is_bound && inner->bytes.value != outer->bytes.value)
		inner->bytes = (struct host_value){.reason = "it differs between calls"};
	else
		inner->bytes = outer->bytes;
	inner->is_bound = true;
}

struct source_declaration *host_own_variable(struct host *host, const char *name, const struct source_type *type)
{
	struct source_declaration *variable;

	if (host->own_count == HOST_OWN_SLOTS)
		return NULL;
	variable = arena_alloc(host->arena, sizeof(*variable));
	variable->kind = DECLARATION_VARIABLE;
	variable->name = name;
	variable->type = type;
	variable->slot = host->unit->slot_count + host->own_count++;
	return variable;
}

struct host_place host_object(struct host *host, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	const struct node *object = node->children[0];
	const struct host_constant *pointer;

	if (!function)
		return (struct host_place){NULL, 0, false};
	if (!object || !function->is_method)
		return (struct host_place){function->constructed, 0, true};
	if (object->kind == NODE_THIS)
		return host->object;
	if (object->type && type_strip_reference(object->type)->shape == SHAPE_POINTER) {
		pointer = host_evaluate(host, object);
		return pointer->kind == CONSTANT_ADDRESS
		               ? (struct host_place){pointer->variable, (uint64_t)pointer->value, true}
		               : (struct host_place){NULL, 0, false};
	}
	return host_place_of(host, object);
}

static void bind_parameter(struct host *host, struct source_declaration *parameter, const struct node *argument,
                           const struct host_constant *value)
{
	bind_array(host, parameter, argument);
	if (!value)
		value = parameter->initializer ? host_evaluate(host, parameter->initializer)
		                               : host_unknown(host, "an argument that is not given");
	if (parameter->type->shape == SHAPE_REFERENCE)
		host_bind(host, parameter, argument, value);
	else
		host_set(host, parameter,
		         host_convert(host,
		                      parameter->type->shape == SHAPE_POINTER ? host_decay(host, argument, value)
		                                                              : value,
		                      parameter->type));
}

/*
 * Walks the body of a function. Where it may be left before its end all that it changes may be as before; but for the
 * numbers that loops count nothing asks for that.
 */
static void walk_body(struct host *host, const struct node *body)
{
	struct host_changes changes, none = {NULL, 0};
	unsigned returns = host->returns;
	size_t mark = host->trail_count;

	host->returns = 0;
	host_statement(host, body);
	if (host->returns && host->stretches) {
		changes = host_undo(host, mark);
		host_join_changes(host, &changes, &none);
	}
	host->returns = returns;
}

/* Walks the function with its parameters set; returns what it returns. */
static const struct host_constant *call_body(struct host *host, const struct node *node,
                                             struct source_function *function,
                                             const struct host_constant *const *arguments)
{
	uint64_t path = host->path;
	const struct host_constant *outer = host->result, *result;
	struct host_place object = host->object, callee = host_object(host, node);

	if (!callee.variable && function->is_method && !function->is_const_method && node->children[0])
		host_store_element(host, node->children[0], NULL);
	for (unsigned i = 0; i < function->parameter_count; i++) {
		bool is_given = i + 1 < node->child_count;

		bind_parameter(host, function->parameters[i], is_given ? node->children[i + 1] : NULL,
		               is_given ? arguments[i] : NULL);
	}
	host->stack[host->stack_depth++] = function;
	function->is_walked = true;
	host->result = NULL;
	host->path = path * 1000003 + node->range.begin + 1;
	host->object = callee;
	walk_body(host, function->body);
	host->object = object;
	host->path = path;
	host->stack_depth--;
	result = host->result;
	host->result = outer;
	return result ? result : host_unknown_name(host, "the result of '", function->name, "'");
}

static bool is_leaving(const char *name)
{
	static const char *const names[] = {"exit", "abort", "_exit", "quick_exit", "terminate"};

	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* What cudaFree() and its like give back. */
static void release(const struct host *host, const struct node *node, const struct host_constant *const *arguments)
{
	static const char *const names[] = {"cudaFree", "cudaFreeAsync"};
	bool is_release = false;

	for (unsigned i = 0; i < ARRAY_COUNT(names); i++)
		is_release = is_release || strcmp(node->declaration->name, names[i]) == 0;
	if (is_release && node->child_count > 1 && arguments[0]->kind == CONSTANT_MEMORY && arguments[0]->allocation)
		arguments[0]->allocation->released = host->launches_made;
}

/* cudaMalloc() and its like. */
static void allocate_device(struct host *host, const struct node *node, const struct node *pointer,
                            const struct host_constant *bytes)
{
	bool is_managed = strcmp(node->declaration->name, "cudaMallocManaged") == 0;

	host_allocate(host, node_argument(node, 0), bytes, is_managed ? MEMORY_MANAGED : MEMORY_PAGEABLE);
	if (is_managed)
		host_copy_managed(host, node, pointer, bytes);
}

static const struct host_constant *call_toolkit(struct host *host, const struct node *node,
                                                const struct host_constant *const *arguments)
{
	const struct host_constant *known;
	const struct node *pointer, *size;
	struct source_declaration *variable;

	host_copy(host, node, arguments);
	known = host_graph_call(host, node, arguments) ? host_integer(host, 0) : host_library(host, node, arguments);
	host->has_ended = host->has_ended || is_leaving(node->declaration->name);
	if (known)
		return known;
	if (host_is_allocation(node, &pointer, &size)) {
		variable = node_variable(pointer);
		if (variable && host->arrays[variable->slot])
			host->arrays[variable->slot]->bytes = host_value_of(host, host_evaluate(host, size), size);
	}
	release(host, node, arguments);
	host_launch_by_call(host, node);
	host_forget_arguments(host, node);
	if (host_is_allocation(node, &pointer, &size))
		allocate_device(host, node, pointer, host_evaluate(host, size));
	return node->type && strcmp(node->type->type.spelling, "cudaError") == 0
	               ? host_integer(host, 0)
	               : host_unknown_name(host, "the result of '", node->declaration->name, "'");
}

/* The method of an object's own class that overrides the one that is called; that one where there is none. */
static struct source_function *overriding(const struct host *host, const struct host_place *object,
                                          struct source_function *method)
{
	const struct source_type *type = object->variable ? type_strip_reference(object->variable->type) : NULL;

	if (!type || !type->type.record || object->offset || !method->object ||
	    type->type.record == method->object->type.record)
		return method;
	for (unsigned i = 0; i < host->unit->function_count; i++) {
		struct source_function *function = host->unit->functions[i];

		if (function->object && function->object->type.record == type->type.record && function->is_virtual &&
		    function->parameter_count == method->parameter_count && strcmp(function->name, method->name) == 0)
			return function;
	}
	return method;
}

/* What a call calls: a function, an overriding method, what a pointer to a function or a std::function holds; NULL
 * where that is not known. */
static struct source_function *called_function(struct host *host, const struct node *node,
                                               struct source_function *function)
{
	const struct host_constant *value;
	struct host_place object;

	if (!function)
		return node->declaration && (node->declaration->kind == DECLARATION_VARIABLE ||
		                             node->declaration->kind == DECLARATION_PARAMETER)
		               ? host_variable(host, node->declaration)->function
		               : NULL;
	if (function->is_virtual) {
		object = host_object(host, node);
		host->misses_calls = host->misses_calls || (!object.variable && !function->in_system_header);
		return overriding(host, &object, function);
	}
	if (!function->in_system_header || strcmp(function->short_name, "operator()") != 0 || !node->children[0])
		return function;
	value = host_evaluate(host, node->children[0]);
	return value->kind == CONSTANT_FUNCTION ? value->function : function;
}

const struct host_constant *host_call(struct host *host, const struct node *node)
{
	struct source_function *function = node->declaration ? node->declaration->function : NULL;
	const struct host_constant **arguments = arena_array(host->arena, node->child_count + 1, sizeof(*arguments)),
				   *result;

	if (function && function->is_copy && node->child_count == 2 && node->children[0])
		return host_assign_copy(host, node);
	for (unsigned i = 1; i < node->child_count; i++)
		arguments[i - 1] = host_evaluate(host, node->children[i]);
	function = called_function(host, node, function);
	if (!function) {
		host->misses_calls = true;
		host_forget_arguments(host, node);
		return host_unknown(host, "the result of a function that is not known");
	}
	if (!may_walk(host, function)) {
		host->misses_calls = host->misses_calls || (function->body && function->launches);
		return call_toolkit(host, node, arguments);
	}
	result = call_body(host, node, function, arguments);
	return result;
}

const struct host_constant *host_construct(struct host *host, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	struct node *call;

	if (node->child_count == 0 && node->type->type.record && node->type->type.record->has_defaults_read &&
	    (!function || !may_walk(host, function)))
		return host_defaults(host, node->type->type.record);
	if (!function || !function->constructed || function->is_copy || !may_walk(host, function))
		return NULL;
	call = arena_alloc(host->arena, sizeof(*call));
	*call = *node;
	call->kind = NODE_CALL;
	call->child_count = node->child_count + 1;
	call->children = arena_array(host->arena, call->child_count, sizeof(struct node *));
	for (unsigned i = 0; i < node->child_count; i++)
		call->children[i + 1] = node->children[i];
	host_set(host, function->constructed, host_defaults(host, node->type->type.record));
	host_call(host, call);
	return host->environment[function->constructed->slot];
}
