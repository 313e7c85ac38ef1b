/*
 * What sets members in a function's text, and what may: that spoils them.
 */
#include "analyzer/host/content/content.h"

#include <ctype.h>
#include <string.h>

struct scan {
	struct host *host;
	struct host_contents *contents;
	const struct source_function *function;
	const struct node *loop, *outermost;
	unsigned conditional;
};

static void scan(struct scan *walk, const struct node *node);

/* ---- types ------------------------------------------------------------------------------- */

static const struct record *record_in(const struct source_type *type)
{
	while (type && type->shape == SHAPE_ARRAY)
		type = type->target;
	return type && type->shape == SHAPE_RECORD ? type->type.record : NULL;
}

/* The record whose elements an expression points to, or is an array of. */
static const struct record *pointed(const struct node *node)
{
	const struct source_type *type = node && node->type ? type_strip_reference(node->type) : NULL;

	return type && (type->shape == SHAPE_POINTER || type->shape == SHAPE_ARRAY) ? record_in(type->target) : NULL;
}

static const struct record *object_of(const struct node *node)
{
	return node && node->type ? record_in(type_strip_reference(node->type)) : NULL;
}

/* The record at the end of pointers to pointers. */
static const struct record *deep(const struct node *node)
{
	const struct source_type *type = node ? node->type : NULL;

	while (type && (type->shape == SHAPE_POINTER || type->shape == SHAPE_REFERENCE || type->shape == SHAPE_ARRAY))
		type = type->target;
	return type ? type->type.record : NULL;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool names_word(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = text; (at = memmem(at, length - (size_t)(at - text), word, size)) != NULL; at++)
		if ((at == text || !is_word(at[-1])) && (at + size == text + length || !is_word(at[size])))
			return true;
	return false;
}

static void spoil_member(const struct scan *scan, const struct node *node)
{
	struct content_member *member = host_content_member(scan->contents, node);

	if (member)
		member->is_spoiled = true;
}

/* ---- calls ------------------------------------------------------------------------------------ */

static bool is_named(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strncmp(name, *names, strlen(*names)) == 0)
			return true;
	return false;
}

/* Functions that make memory, or leave it as it is; those that copy elements; that let them change their places. */
static const char *const making[] = {"malloc",         "calloc", "realloc", "aligned_alloc",   "memalign",
                                     "posix_memalign", "valloc", "mmap",    "_aligned_malloc", NULL};
static const char *const harmless[] = {"cudaMalloc",
                                       "cudaFree",
                                       "cudaHostRegister",
                                       "cudaHostUnregister",
                                       "cudaHostGet",
                                       "cudaMemPrefetch",
                                       "cudaMemAdvise",
                                       "cudaHostAlloc",
                                       "free",
                                       "_aligned_free",
                                       "munmap",
                                       "realloc",
                                       "printf",
                                       "fprintf",
                                       "fwrite",
                                       "operator==",
                                       "operator!=",
                                       "operator<",
                                       "operator-",
                                       "operator+",
                                       "begin",
                                       "end",
                                       "data",
                                       "device_pointer_cast",
                                       "raw_pointer_cast",
                                       "operator<<",
                                       NULL};
static const char *const copying[] = {"cudaMemcpy", "cudaMemcpyAsync", "memcpy", "memmove", "copy",
                                      "copy_n",     "assign",          "insert", NULL};
static const char *const permuting[] = {"sort", "stable_sort", "qsort",     "reverse", "shuffle",     "random_shuffle",
                                        "swap", "partition",   "iter_swap", "rotate",  "nth_element", NULL};

static bool is_exactly(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* A copy: elements of a record become elements of the same. */
static void copy_scan(const struct scan *scan, const struct node *call)
{
	const struct record *first = NULL;

	for (unsigned i = 1; i < call->child_count && i < 3; i++) {
		const struct record *record = pointed(node_strip_casts(call->children[i]));

		if (i > 1 && record != first) {
			host_content_spoil(scan->contents, record);
			host_content_spoil(scan->contents, first);
		}
		first = record;
	}
}

static bool is_kept(const struct source_function *function, unsigned position)
{
	const struct source_type *type =
		position < function->parameter_count ? function->parameters[position]->type : NULL;

	if (function->in_system_header)
		return position < 32 && (function->kept_parameters >> position & 1);
	return type && (type->shape == SHAPE_POINTER || type->shape == SHAPE_REFERENCE) && type->target->is_const;
}

static bool may_change(const struct source_function *function, unsigned position)
{
	const struct source_type *type =
		position < function->parameter_count ? function->parameters[position]->type : NULL;

	if (function->in_system_header)
		return position < 32 && (function->changed_parameters >> position & 1);
	return !type || (type->shape == SHAPE_REFERENCE && !type->target->is_const);
}

static void zeroed(const struct scan *scan, const struct record *record)
{
	for (unsigned i = 0; i < scan->contents->count; i++)
		if (scan->contents->members[i].record == record)
			scan->contents->members[i].is_zeroed = true;
}

/* Zeros that come before what the text sets say nothing. */
static bool is_zeroing(const struct node *call)
{
	const struct node *value = call->child_count > 2 ? node_strip_casts(call->children[2]) : NULL;

	return strcmp(call->declaration->name, "memset") == 0 && value && value->kind == NODE_INTEGER &&
	       value->value == 0;
}

/* A function of another file may set what it is given, or records that it knows from the same header. */
static void foreign_scan(const struct scan *scan, const struct node *argument)
{
	const char *spelling = argument && argument->type ? type_strip_reference(argument->type)->type.spelling : NULL;

	host_content_spoil(scan->contents, deep(argument));
	for (unsigned i = 0; i < scan->contents->count; i++) {
		struct content_member *member = &scan->contents->members[i];
		bool is_shared =
			member->record->range.end == 0 && !scan->function->is_device && !scan->function->is_kernel;

		if (is_shared || (spelling && names_word(spelling, strlen(spelling), member->record->name)))
			member->is_spoiled = true;
	}
}

/* An argument of a call. */
static void argument_scan(const struct scan *scan, const struct node *call, const struct node *argument,
                          unsigned position)
{
	const struct source_function *function = call->declaration ? call->declaration->function : NULL;
	bool is_address = argument->kind == NODE_UNARY && argument->op == OPERATOR_ADDRESS;
	struct content_member *member =
		host_content_member(scan->contents, is_address ? argument->children[0] : argument);

	if (member && (!function || (is_address ? !is_kept(function, position) : may_change(function, position))))
		member->is_spoiled = true;
	if (function && function->body && !function->in_system_header)
		return;
	if (!function || (!function->in_system_header && !is_kept(function, position)))
		foreign_scan(scan, argument);
	if (!function || !pointed(argument) || is_kept(function, position) || is_named(function->short_name, harmless))
		return;
	if (is_exactly(function->short_name, permuting))
		scan->contents->is_permuted = true;
	else if (is_zeroing(call))
		zeroed(scan, pointed(argument));
	else
		host_content_spoil(scan->contents, pointed(argument));
}

/* Whether casts around an argument leave a pointer to be judged by what the call does: they make it one to void, or to
 * bytes that are read alone. */
static bool is_passed_plainly(const struct node *call, unsigned position)
{
	const struct source_function *function = call->declaration ? call->declaration->function : NULL;

	if (!function || !function->in_system_header)
		return false;
	for (const struct node *node = call->children[position + 1]; node && node->kind == NODE_CAST;
	     node = node->children[0]) {
		const struct source_type *target = node->type->shape == SHAPE_POINTER ? node->type->target : NULL;

		if (target && target->shape != SHAPE_VOID && pointed(node) != pointed(node->children[0]) &&
		    !(target->type.size_bytes == 1 && is_kept(function, position)))
			return false;
	}
	return true;
}

static void call_scan(struct scan *walk, const struct node *node)
{
	const char *name = node->declaration ? node->declaration->name : "";
	bool is_system = node->declaration && node->declaration->in_system_header,
	     is_copy = is_system && is_exactly(name, copying);

	if (node->children[0])
		scan(walk, node->children[0]);
	if (is_copy)
		copy_scan(walk, node);
	if (is_system && is_exactly(name, permuting))
		walk->contents->is_permuted = true;
	if (is_system && strncmp(name, "emplace", strlen("emplace")) == 0)
		for (unsigned i = 0; i < walk->contents->count; i++)
			walk->contents->members[i].is_spoiled = true;
	for (unsigned i = 1; i < node->child_count; i++) {
		const struct node *argument = node_strip_casts(node->children[i]);

		if (!argument)
			continue;
		if (!is_copy)
			argument_scan(walk, node, argument, i - 1);
		if (!is_passed_plainly(node, i - 1))
			argument = node->children[i];
		if (argument->kind == NODE_UNARY && argument->op == OPERATOR_ADDRESS)
			argument = argument->children[0];
		scan(walk, argument);
	}
	if (!is_system && (!node->declaration || !node->declaration->function || !node->declaration->function->body))
		foreign_scan(walk, node);
}

/* ---- what becomes a record, or is made one --------------------------------------------------------- */

static bool is_memory(const struct node *node)
{
	node = node_strip_casts(node);
	return node->kind == NODE_INTEGER ||
	       (node->kind == NODE_CALL && node->declaration && node->declaration->in_system_header &&
	        is_named(node->declaration->name, making));
}

/* Pointers to something else that point to records, and the other way round. */
static void cast_scan(const struct scan *scan, const struct node *node)
{
	const struct source_type *type = type_strip_reference(node->type);
	const struct record *from = pointed(node->children[0]), *to = pointed(node);
	const struct node *memory;

	if (type->shape != SHAPE_POINTER || from == to)
		return;
	host_content_spoil(scan->contents, from);
	memory = node_strip_casts(node->children[0]);
	if (memory->kind == NODE_CALL && memory->declaration && strcmp(memory->declaration->name, "calloc") == 0)
		zeroed(scan, to);
	if (!is_memory(node->children[0]))
		host_content_spoil(scan->contents, to);
}

static void made_scan(const struct scan *scan, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	bool is_copy = (function && function->is_copy) ||
	               (node->child_count == 1 && object_of(node->children[0]) == object_of(node));

	if (node->child_count && !is_copy && !(node->kind == NODE_CONSTRUCT && function && function->body))
		host_content_spoil(scan->contents, object_of(node));
}

/* Of most lambdas nothing but the text is known. */
static void lambda_scan(const struct scan *scan, const struct node *node)
{
	const char *text = scan->host->unit->text + node->range.begin;
	size_t length = node->range.end - node->range.begin;

	for (unsigned i = 0; i < scan->contents->count && !node->declaration; i++) {
		struct content_member *member = &scan->contents->members[i];

		if (!length || names_word(text, length, member->leaf->path) ||
		    names_word(text, length, member->record->name))
			member->is_spoiled = true;
	}
}

static bool is_deleting(const struct scan *scan, const struct node *node)
{
	const char *text = scan->host->unit->text + node->range.begin;

	return node->range.end > node->range.begin + 6 && strncmp(text, "delete", 6) == 0;
}

/* What is not understood may do anything to what it is given. */
static void opaque_scan(const struct scan *scan, const struct node *node)
{
	for (unsigned i = 0; i < node->child_count && node->escapes; i++) {
		const struct node *child = node_strip_casts(node->children[i]);

		if (!child)
			continue;
		spoil_member(scan, child);
		if (!is_deleting(scan, node) && pointed(child) && deep(node) != deep(child))
			host_content_spoil(scan->contents, pointed(child));
	}
}

/* ---- settings ----------------------------------------------------------------------------------- */

static void setting_add(const struct scan *scan, struct content_member *member, const struct node *node)
{
	const struct node *left = node_strip_casts(node->children[0]);
	struct content_setting setting = {
		.node = node, .function = scan->function, .loop = scan->loop, .outermost = scan->outermost};

	if (node->op != OPERATOR_NONE || scan->function->is_kernel || scan->function->is_device) {
		member->is_spoiled = true;
		return;
	}
	if (!scan->conditional)
		host_content_cover(&setting, node_strip_casts(left->children[0]));
	ARENA_PUSH(scan->host->arena, member->settings, member->setting_count, setting);
}

static void assign_scan(const struct scan *scan, const struct node *node)
{
	const struct node *left = node_strip_casts(node->children[0]);
	struct content_member *member = host_content_member(scan->contents, left);

	if (member)
		setting_add(scan, member, node);
	for (unsigned i = 1; left->kind == NODE_CONDITIONAL && i < 3; i++)
		spoil_member(scan, left->children[i]);
}

/* The address of a member, which is given to no call: others lie beside it. */
static void unary_scan(const struct scan *scan, const struct node *node)
{
	struct content_member *member = host_content_member(scan->contents, node->children[0]);

	if (!member)
		return;
	if (node->op == OPERATOR_ADDRESS)
		host_content_spoil(scan->contents, member->record);
	else if (node->op >= OPERATOR_INCREMENT_BEFORE && node->op <= OPERATOR_DECREMENT_AFTER)
		member->is_spoiled = true;
}

/* Variables of other files, and those that begin with values in braces. */
static void reference_scan(const struct scan *scan, const struct node *node)
{
	const struct source_declaration *variable = node_variable(node);
	const struct node *begins = variable ? variable->initializer : NULL;
	const struct source_type *type = variable && variable->is_global ? variable->type : NULL;

	while (type && (type->shape == SHAPE_ARRAY || type->shape == SHAPE_POINTER))
		type = type->target;
	if (type && type->type.record &&
	    (variable->is_extern || (begins && begins->kind == NODE_LIST && begins->child_count)))
		host_content_spoil(scan->contents, type->type.record);
}

static void node_scan(const struct scan *scan, const struct node *node)
{
	const struct source_type *result = scan->function->result;

	switch (node->kind) {
	case NODE_ASSIGN:
		assign_scan(scan, node);
		break;
	case NODE_UNARY:
		unary_scan(scan, node);
		break;
	case NODE_CAST:
		cast_scan(scan, node);
		break;
	case NODE_LIST:
	case NODE_CONSTRUCT:
		made_scan(scan, node);
		break;
	case NODE_LAMBDA:
		lambda_scan(scan, node);
		break;
	case NODE_OPAQUE:
		opaque_scan(scan, node);
		break;
	case NODE_REFERENCE:
		reference_scan(scan, node);
		break;
	case NODE_DECLARE:
		if (node->declaration->type->shape == SHAPE_REFERENCE && node_child(node, 0))
			spoil_member(scan, node->children[0]);
		break;
	case NODE_RETURN:
		if (result && result->shape == SHAPE_REFERENCE && node_child(node, 0))
			spoil_member(scan, node->children[0]);
		break;
	default:
		break;
	}
}

static bool is_branch(const struct node *node)
{
	return node->kind == NODE_IF || node->kind == NODE_SWITCH || node->kind == NODE_CONDITIONAL ||
	       node->kind == NODE_TRY ||
	       (node->kind == NODE_BINARY && (node->op == OPERATOR_LOGICAL_AND || node->op == OPERATOR_LOGICAL_OR));
}

static void scan(struct scan *walk, const struct node *node)
{
	struct scan outer = *walk;

	if (!node)
		return;
	if (node->kind == NODE_CALL || node->kind == NODE_LAUNCH) {
		call_scan(walk, node);
		return;
	}
	node_scan(walk, node);
	walk->conditional += is_branch(node);
	if (node_is_loop(node)) {
		walk->loop = node;
		walk->outermost = walk->outermost ? walk->outermost : node;
	}
	for (unsigned i = 0; i < node->child_count; i++)
		scan(walk, node->children[i]);
	*walk = outer;
}

void host_content_scan(struct host *host, struct host_contents *contents, const struct source_function *function)
{
	struct scan walk = {.host = host, .contents = contents, .function = function};

	scan(&walk, function->body);
}
