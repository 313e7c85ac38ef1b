/*
 * What the system's headers offer to host code that decides on launches: strings, containers of which the number of
 * elements is followed, pointers that own, memory, swaps; and what the CUDA runtime tells of a device and of a kernel's
 * occupancy.
 *
 * A container is a record whose first part is the number of its elements; an owning pointer is the pointer.
 */
#include "analyzer/host/library/library.h"

#include <stdlib.h>
#include <string.h>

static const struct source_type size_type = {
	.shape = SHAPE_INTEGER, .bits = 64, .type = {.size_bytes = 8, .spelling = "unsigned long"}};

/* ---- methods ------------------------------------------------------------------------------------------ */

/* The number of elements; NULL where that is not known. */
static const struct host_constant *container_count(const struct host_constant *container)
{
	return container->kind == CONSTANT_CONTAINER ? container->parts[0] : NULL;
}

/* A call of a method of one of the types above. */
struct method {
	const char *name;
	const struct node *node; /* of the object */
	struct host_place place; /* its, or nowhere */
	const struct source_type *type;
	const struct host_constant *object, *first, *second; /* arguments, or NULL */
};

/* The object has that value from now on; where it is an element of another object, that element. */
static void object_write(struct host *host, const struct method *method, const struct host_constant *value)
{
	if (method->place.variable)
		host_write(host, method->place, method->type, value);
	else
		host_store_element(host, method->node, value);
}

/* The bytes from the first element on, for data() and its like. */
static const struct host_constant *container_memory(struct host *host, const struct node *node,
                                                    const struct host_constant *container)
{
	const struct source_type *pointer = type_strip_reference(node->type);
	uint64_t size = pointer->shape == SHAPE_POINTER ? pointer->target->type.size_bytes : 0;
	const struct host_constant *count = container_count(container);
	struct host_constant *memory = arena_alloc(host->arena, sizeof(*memory));

	*memory = *host_memory(host,
	                       count && count->kind == CONSTANT_INTEGER && size ? count->value * (int64_t)size : -1);
	if (container->allocation)
		memory->allocation = container->allocation;
	return memory;
}

/* v[i] and its like, where the element is known. */
static const struct host_constant *element_of(const struct method *method, const struct host_constant *count)
{
	int64_t last = count && count->kind == CONSTANT_INTEGER ? count->value - 1 : -1;

	if (strcmp(method->name, "back") == 0)
		return host_member(method->object, (uint64_t)last);
	if (strcmp(method->name, "front") == 0)
		return host_member(method->object, 0);
	return method->first && method->first->kind == CONSTANT_INTEGER && !method->first->assumed
	               ? host_member(method->object, (uint64_t)method->first->value)
	               : NULL;
}

static const struct host_constant *container_grow(struct host *host, const struct method *method,
                                                  const struct host_constant *count)
{
	const struct host_constant *grown = host_container(
		host, host_binary(host, OPERATOR_ADD, count, host_integer(host, 1), &size_type, &size_type));
	bool is_followed = method->object->members || (count->kind == CONSTANT_INTEGER && count->value == 0);

	if (is_followed && count->kind == CONSTANT_INTEGER && count->value < ELEMENTS_MAX && method->first) {
		struct host_constant *copy = arena_alloc(host->arena, sizeof(*copy));

		*copy = *grown;
		copy->members = method->object->members;
		grown = host_member_set(host, copy, (uint64_t)count->value, method->first);
	}
	object_write(host, method, grown);
	return host_unknown(host, "no value");
}

static const struct host_constant *container_method(struct host *host, const struct node *node,
                                                    const struct method *method)
{
	static const char *const setting[] = {"resize", "assign", NULL},
				 *const exposing[] = {"begin", "end", "data", NULL},
				 *const reading[] = {"operator[]", "at", "front", "back", NULL},
				 *const growing[] = {"push_back", "emplace_back", NULL};
	const struct host_constant *count = container_count(method->object), *changed = NULL;

	if (strcmp(method->name, "size") == 0)
		return count && method->object->assumed ? host_assume(host, count, method->object->reason) : count;
	if (strcmp(method->name, "empty") == 0 && count && count->kind == CONSTANT_INTEGER && !method->object->assumed)
		return host_integer(host, count->value == 0);
	if (count && host_is_one_of(method->name, exposing))
		object_write(host, method, host_container_exposed(host, method->object));
	if (strcmp(method->name, "data") == 0)
		return container_memory(host, node, method->object);
	if (host_is_one_of(method->name, reading) && method->object->assumed && element_of(method, count))
		return host_assume(host, element_of(method, count), method->object->reason);
	if (host_is_one_of(method->name, reading))
		return element_of(method, count);
	if (host_is_one_of(method->name, growing) && count)
		return container_grow(host, method, count);
	if (host_is_one_of(method->name, setting) && method->first)
		changed = method->first->kind == CONSTANT_INTEGER ? method->first
		                                                  : host_unknown(host, "a size that is not known");
	else if (strcmp(method->name, "pop_back") == 0 && count)
		changed = host_binary(host, OPERATOR_SUB, count, host_integer(host, 1), &size_type, &size_type);
	else if (strcmp(method->name, "clear") == 0)
		changed = host_integer(host, 0);
	if (!changed)
		return NULL;
	object_write(host, method, host_container(host, changed));
	return host_unknown(host, "no value");
}

/* text = other, text += other: the string has that value from now on. */
static const struct host_constant *string_set(struct host *host, const struct method *method)
{
	static const char *const setting[] = {"operator=", "assign", "str", NULL}, *const adding[] = {
											   "operator+=", "append",
											   "push_back", NULL};
	const struct host_constant *first = method->first, *made = NULL;
	bool adds = host_is_one_of(method->name, adding);

	if (!first || method->second || (!adds && !host_is_one_of(method->name, setting)))
		return NULL;
	if (first->kind == CONSTANT_INTEGER)
		first = host_string(host, arena_printf(host->arena, "%c", (int)first->value & 0xff));
	if (first->kind == CONSTANT_STRING && !adds)
		made = first;
	else if (first->kind == CONSTANT_STRING && method->object->kind == CONSTANT_STRING)
		made = host_string(host, arena_printf(host->arena, "%s%s", method->object->text, first->text));
	if (made)
		object_write(host, method, made);
	return made;
}

static const struct host_constant *string_method(struct host *host, const struct method *method)
{
	static const char *const lengths[] = {"size", "length", NULL}, *const texts[] = {"c_str", "data", NULL};
	const struct host_constant *const sides[2] = {method->object, method->first};

	const struct host_constant *set = string_set(host, method);

	if (set || method->object->kind != CONSTANT_STRING)
		return set;
	if (host_is_one_of(method->name, lengths))
		return host_integer(host, (int64_t)strlen(method->object->text));
	if (host_is_one_of(method->name, texts))
		return method->object;
	if (strcmp(method->name, "empty") == 0)
		return host_integer(host, !*method->object->text);
	if (strcmp(method->name, "operator[]") == 0 && method->first && method->first->kind == CONSTANT_INTEGER &&
	    (uint64_t)method->first->value <= strlen(method->object->text))
		return host_integer(host, method->object->text[method->first->value]);
	if (strcmp(method->name, "compare") == 0 && sides[1] && sides[1]->kind == CONSTANT_STRING)
		return host_integer(host, strcmp(sides[0]->text, sides[1]->text));
	return host_text_part(host, method->name, method->object->text, method->first, method->second);
}

static const struct host_constant *pointer_method(struct host *host, const struct method *method)
{
	static const char *const reading[] = {"get", "operator->", "operator*", NULL};

	if (strcmp(method->name, "reset") == 0) {
		object_write(host, method, method->first ? method->first : host_integer(host, 0));
		return host_unknown(host, "no value");
	}
	return host_is_one_of(method->name, reading) && host_is_pointer(method->object) ? method->object : NULL;
}

/* std::array's number of elements is the last argument of its type. */
static const struct host_constant *array_method(struct host *host, const struct node *node, const struct method *method)
{
	const char *count = method->type ? strrchr(method->type->type.spelling, ',') : NULL;

	if (method->object->kind == CONSTANT_CONTAINER)
		return container_method(host, node, method);
	return strcmp(method->name, "size") == 0 && count ? host_integer(host, strtoll(count + 1, NULL, 10)) : NULL;
}

/* map[key], map.at(key), map.count(key): of a map whose keys are all known. */
static const struct host_constant *map_method(struct host *host, const struct method *method)
{
	static const char *const asking[] = {"count", "contains", NULL}, *const reading[] = {"operator[]", "at", NULL};
	const struct host_constant *found;
	uint64_t slot;

	if (method->object->kind != CONSTANT_CONTAINER || !method->first || !host_map_slot(method->first, &slot))
		return NULL;
	found = host_member(method->object, slot);
	if (host_is_one_of(method->name, asking))
		found = host_integer(host, found != NULL);
	else if (!host_is_one_of(method->name, reading))
		return NULL;
	return found && method->object->assumed ? host_assume(host, found, method->object->reason) : found;
}

/* What a method that is not followed leaves of its object, unless the method is const. */
static void object_forget(struct host *host, const struct node *node, const struct method *method)
{
	static const char *const harmless[] = {"operator[]", "at",      "front", "back",       "begin",
	                                       "end",        "data",    "get",   "operator->", "operator*",
	                                       "operator>>", "reserve", NULL};
	const struct source_function *function = node->declaration->function;

	if (!function || function->is_const_method || function->is_static_method ||
	    host_is_one_of(method->name, harmless) || !method->object || method->object->kind == CONSTANT_UNKNOWN)
		return;
	object_write(host, method, host_unknown_name(host, "what '", method->name, "' leaves of an object"));
}

static const struct host_constant *library_call_method(struct host *host, const struct node *node,
                                                       const struct method *method, enum library_type library)
{
	switch (library) {
	case TYPE_CONTAINER:
		return container_method(host, node, method);
	case TYPE_STRING:
		return string_method(host, method);
	case TYPE_STREAM:
		return string_set(host, method);
	case TYPE_POINTER:
		return pointer_method(host, method);
	case TYPE_ARRAY:
		return array_method(host, node, method);
	case TYPE_MAP:
		return map_method(host, method);
	default:
		return NULL;
	}
}

/* a.swap(b): each has what the other had. */
static const struct host_constant *swap_objects(struct host *host, const struct node *node, const struct method *method)
{
	if (!method->place.variable || !method->first || node->child_count != 2)
		return NULL;
	object_write(host, method, method->first);
	host_store(host, node->children[1], method->object);
	return host_unknown(host, "no value");
}

static const struct host_constant *library_method(struct host *host, const struct node *node,
                                                  const struct host_constant *const *arguments)
{
	const struct node *object = node_strip_casts(node->children[0]);
	const struct source_type *type = object && object->type ? type_strip_reference(object->type) : NULL;
	struct method method = {.name = node->declaration->name, .node = object};
	enum library_type library;
	const struct host_constant *known;

	method.type = type && type->shape == SHAPE_POINTER ? type->target : type;
	library = host_library_type(method.type);
	if (library == TYPE_OTHER && object && object->kind == NODE_CALL && strcmp(method.name, "operator>>") != 0)
		host_evaluate(host, object);
	if (library == TYPE_OTHER)
		return NULL;
	method.place = host_object(host, node);
	method.object =
		method.place.variable ? host_read(host, method.place, method.type) : host_evaluate(host, object);
	method.first = node->child_count > 1 ? arguments[0] : NULL;
	method.second = node->child_count > 2 ? arguments[1] : NULL;
	known = strcmp(method.name, "swap") == 0 ? swap_objects(host, node, &method)
	                                         : library_call_method(host, node, &method, library);
	if (!known)
		object_forget(host, node, &method);
	return known;
}

/* ---- functions -------------------------------------------------------------------------------------------- */

static const struct host_constant *swap_values(struct host *host, const struct node *node,
                                               const struct host_constant *const *arguments)
{
	if (node->child_count != 3)
		return NULL;
	host_store(host, node->children[1], arguments[1]);
	host_store(host, node->children[2], arguments[0]);
	return host_unknown(host, "no value");
}

/* The constructor of the file's that takes as many arguments; NULL where there is none, or more than one. */
static struct source_function *constructor_of(const struct host *host, const char *spelling, unsigned count)
{
	struct source_function *found = NULL;

	for (unsigned i = 0; i < host->unit->function_count; i++) {
		struct source_function *function = host->unit->functions[i];

		if (!function->constructed || function->is_copy || function->parameter_count < count ||
		    strcmp(function->object->type.spelling, spelling) != 0)
			continue;
		if (found && found->parameter_count == function->parameter_count)
			return NULL;
		if (!found || function->parameter_count < found->parameter_count)
			found = function;
	}
	return found;
}

/* std::make_unique<T>(arguments...): a new T. */
static const struct host_constant *make_object(struct host *host, const struct node *node)
{
	const char *spelling = node->type ? strchr(node->type->type.spelling, '<') : NULL;
	size_t length = spelling ? strcspn(spelling + 1, ",>") : 0;
	struct source_function *constructor =
		spelling ? constructor_of(host, arena_printf(host->arena, "%.*s", (int)length, spelling + 1),
	                                  node->child_count - 1)
			 : NULL;
	struct source_declaration *variable;
	struct node construct = *node;

	if (!constructor)
		return NULL;
	construct.kind = NODE_CONSTRUCT;
	construct.type = constructor->object;
	construct.declaration = constructor->self;
	construct.child_count = node->child_count - 1;
	construct.children = node->children + 1;
	variable = host_own_variable(host, "an object", constructor->object);
	if (!variable)
		return NULL;
	host_set(host, variable, host_evaluate(host, &construct));
	return host_address(host, CONSTANT_ADDRESS, (struct host_place){variable, 0, true});
}

/* make_int4(x, y, z, w) and its like, of the toolkit. */
static const struct host_constant *make_vector(struct host *host, const struct node *node,
                                               const struct host_constant *const *arguments)
{
	const struct record *record = node->type ? node->type->type.record : NULL;
	const struct host_constant *made = host_unknown(host, "an object");

	if (!record || !record->is_vector_type || strncmp(node->declaration->name, "make_", 5) != 0 ||
	    record->member_count != node->child_count - 1)
		return NULL;
	for (unsigned i = 0; i < record->member_count; i++)
		made = host_member_set(host, made, record->members[i].offset_bytes, arguments[i]);
	return made;
}

void host_set_argument(struct host *host, const struct node *argument, const struct host_constant *value)
{
	const struct node *node = node_strip_casts(argument);
	const struct host_constant *pointer;

	if (!node)
		return;
	if (node->kind == NODE_UNARY && node->op == OPERATOR_ADDRESS) {
		host_store(host, node->children[0], value);
		return;
	}
	pointer = host_evaluate(host, node);
	if (pointer->kind == CONSTANT_ADDRESS && node->type && node->type->shape == SHAPE_POINTER)
		host_write(host, (struct host_place){pointer->variable, (uint64_t)pointer->value, true},
		           node->type->target, value);
}

void host_allocate(struct host *host, const struct node *argument, const struct host_constant *bytes,
                   enum memory_kind kind)
{
	const struct host_constant *memory =
		host_memory(host, bytes->kind == CONSTANT_INTEGER && !bytes->assumed ? bytes->value : -1);

	memory->allocation->kind = kind;
	host_set_argument(host, argument, memory);
}

static const struct host_constant *product(struct host *host, const struct host_constant *a,
                                           const struct host_constant *b)
{
	return host_binary(host, OPERATOR_MUL, a, b, &size_type, &size_type);
}

/* cudaMallocPitch(&pointer, &pitch, width, height): rows begin at multiples of 512 bytes. */
static const struct host_constant *allocate_pitched(struct host *host, const struct node *node,
                                                    const struct host_constant *const *arguments)
{
	const int64_t unit = 512;
	const struct host_constant *bytes;

	if (node->child_count != 5 || arguments[2]->kind != CONSTANT_INTEGER)
		return NULL;
	bytes = host_assume(host, host_integer(host, (arguments[2]->value + unit - 1) / unit * unit),
	                    "rows are taken to begin at multiples of 512 bytes");
	host_set_argument(host, node_argument(node, 1), bytes);
	host_allocate(host, node_argument(node, 0), product(host, host_integer(host, bytes->value), arguments[3]),
	              MEMORY_PAGEABLE);
	return host_integer(host, 0);
}

static const struct host_constant *allocate(struct host *host, const struct node *node,
                                            const struct host_constant *const *arguments)
{
	static const char *const pinned[] = {"cudaMallocHost", "cudaHostAlloc", NULL};
	const char *name = node->declaration->name;
	unsigned count = node->child_count - 1;

	if (strcmp(name, "fopen") == 0)
		return host_memory(host, -1);
	if (strcmp(name, "malloc") == 0 && count == 1)
		return host_memory(host, arguments[0]->kind == CONSTANT_INTEGER ? arguments[0]->value : -1);
	if (strcmp(name, "calloc") == 0 && count == 2) {
		const struct host_constant *bytes = product(host, arguments[0], arguments[1]);

		return host_memory(host, bytes->kind == CONSTANT_INTEGER ? bytes->value : -1);
	}
	if (strcmp(name, "cudaMallocPitch") == 0)
		return allocate_pitched(host, node, arguments);
	if (!host_is_one_of(name, pinned) || count < 2)
		return NULL;
	host_allocate(host, node_argument(node, 0), arguments[1], MEMORY_PINNED);
	return host_integer(host, 0);
}

const struct host_constant *host_library(struct host *host, const struct node *node,
                                         const struct host_constant *const *arguments)
{
	static const char *const passing[] = {"move", "forward", "raw_pointer_cast", "as_const", NULL};
	const char *name = node->declaration->name;
	unsigned count = node->child_count - 1;
	const struct host_constant *known = library_method(host, node, arguments);

	if (known)
		return known;
	if (host_is_one_of(name, passing) && count == 1)
		return arguments[0];
	if (strcmp(name, "make_unique") == 0 || strcmp(name, "make_shared") == 0)
		return make_object(host, node);
	if (strcmp(name, "swap") == 0)
		return swap_values(host, node, arguments);
	known = make_vector(host, node, arguments);
	if (!known)
		known = host_mathematics(host, name, arguments, count, node->type);
	if (!known)
		known = host_copy_bytes(host, node, arguments);
	if (!known)
		known = host_symbol_copy(host, node, arguments);
	if (!known)
		known = host_read_stream(host, node);
	if (!known)
		known = host_stream_state(host, node);
	if (!known)
		known = host_parse(host, node, arguments);
	if (!known)
		known = allocate(host, node, arguments);
	return known ? known : host_device_call(host, node, arguments);
}
