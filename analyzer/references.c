/*
 * References: every place in a kernel's text where a pointer parameter is named, for rewriting.
 *
 * This looks at the syntax only. A reference is an element (p[e], p[e].m, (p + e)->m, *p, ...) where the text in the
 * file is exactly that; the ranges are checked against the text, because parts that macros spell have the range of the
 * macro's call. Everything else that a pointer can be used for is OTHER, with the reason.
 */
#include "analyzer/passes.h"

#include <ctype.h>
#include <string.h>

/* How the value of an expression is used. */
struct use {
	bool is_read, is_written, address_taken;
	const char *reason;      /* what happens to a bare pointer */
	struct range passed_for; /* see struct reference */
};

static const struct use use_read = {.is_read = true, .reason = "its value is used"};
static const struct use use_nothing = {.reason = "its value is not used"};

static void find_in(struct reference_search *finding, const struct node *node, struct use use);

/* ---- text ------------------------------------------------------------------------------- */

static bool text_is(const struct reference_search *finding, struct range range, const char *text)
{
	size_t length = strlen(text);

	return range.end - range.begin == length && strncmp(finding->unit->text + range.begin, text, length) == 0;
}

/* The first character behind a range that is no space. */
static char text_behind(const struct reference_search *finding, unsigned at)
{
	const char *text = finding->unit->text;

	while (at < finding->unit->text_length && strchr(" \t\r\n", text[at]))
		at++;
	return at < finding->unit->text_length ? text[at] : 0;
}

static bool lies_in(struct range inner, struct range outer)
{
	return inner.end > inner.begin && outer.begin <= inner.begin && inner.end <= outer.end;
}

/* The range without a pair of parentheses around all of it, where the text has one. */
static struct range trimmed(const struct reference_search *finding, struct range range)
{
	const char *text = finding->unit->text;

	while (range.end > range.begin && strchr(" \t\r\n", text[range.end - 1]))
		range.end--;
	return range;
}

/* ---- the parts of an element -------------------------------------------------------------------- */

/* p[e].m.n[k] taken apart. */
struct element {
	const struct node *pointer;   /* the REFERENCE to the parameter */
	const struct node *subscript; /* the node that selects the element: SUBSCRIPT, `*`, or the MEMBER by `->` */
	const struct node *index;     /* NULL: element 0 */
	const struct node *inner[4];  /* indices into a member array, the last dimension's first */
	unsigned inner_count;
	uint64_t offset_bytes;
	const char *reason; /* not rewritable, though an element */
};

/* The pointer that a node names behind casts. */
static const struct parameter *parameter_named(const struct reference_search *finding, const struct node *node)
{
	node = node_strip_casts(node);
	return node ? finding->named(finding, node) : NULL;
}

/* The pointer that the node itself names. */
static const struct parameter *pointer_named(const struct reference_search *finding, const struct node *node)
{
	return node->kind == NODE_REFERENCE || node->kind == NODE_MEMBER ? finding->named(finding, node) : NULL;
}

/* Why a pointer is followed nowhere: what it points to are rows, of which analyzer/rows could make no one array. NULL:
 * they are none. */
static const char *rows_reason(const struct reference_search *finding, const struct node *pointer)
{
	const struct source_declaration *variable = node_variable(pointer);

	return variable && variable->type->shape == SHAPE_POINTER && variable->type->target->shape == SHAPE_ARRAY &&
	                       parameter_named(finding, pointer)
	               ? "it points to rows"
	               : NULL;
}

/* p or p + e or e + p, casts ignored where they change nothing. */
static bool match_pointer(const struct reference_search *finding, const struct node *node, struct element *element)
{
	if (pointer_named(finding, node)) {
		element->pointer = node;
		return true;
	}
	if (node->kind != NODE_BINARY || node->op != OPERATOR_ADD || element->index)
		return false;
	for (unsigned side = 0; side < 2; side++)
		if (pointer_named(finding, node->children[side])) {
			element->pointer = node->children[side];
			element->index = node->children[1 - side];
			return true;
		}
	return false;
}

/* The element itself: p[e], *p, *(p + e); by_arrow: the pointer before `->`. */
static bool match_element(const struct reference_search *finding, const struct node *node, struct element *element)
{
	if (node->kind == NODE_SUBSCRIPT && pointer_named(finding, node->children[0])) {
		element->index = node->children[1];
		element->pointer = node->children[0];
		if (element->index->range.end && element->index->range.end <= element->pointer->range.begin)
			element->reason = "its index stands before it";
	} else if (node->kind != NODE_UNARY || node->op != OPERATOR_DEREFERENCE ||
	           !match_pointer(finding, node->children[0], element)) {
		return false;
	}
	element->subscript = node;
	return true;
}

/* The object below casts to its base classes, whose offsets count. */
static const struct node *strip_base_casts(const struct node *node, struct element *element)
{
	for (; node->kind == NODE_CAST && node->type->shape == SHAPE_RECORD; node = node->children[0])
		element->offset_bytes += (uint64_t)node->value;
	return node;
}

/* An element or a part of one. */
static bool match(const struct reference_search *finding, const struct node *node, struct element *element)
{
	const struct node *base;

	if (node->kind == NODE_MEMBER && node->declaration->kind == DECLARATION_FIELD) {
		element->offset_bytes += (uint64_t)node->value;
		if (node->declaration->is_bitfield)
			element->reason = "a bit-field";
		if (!node->is_arrow)
			return match(finding, strip_base_casts(node->children[0], element), element);
		element->subscript = node;
		return match_pointer(finding, node->children[0], element);
	}
	if (node->kind == NODE_SUBSCRIPT && !parameter_named(finding, node->children[0])) {
		base = node_strip_casts(node->children[0]);
		if ((base->kind != NODE_MEMBER && base->kind != NODE_SUBSCRIPT) || base->type->shape != SHAPE_ARRAY)
			return false;
		if (element->inner_count == ARRAY_COUNT(element->inner))
			return false;
		element->inner[element->inner_count++] = node->children[1];
		return match(finding, base, element);
	}
	return match_element(finding, node, element);
}

/* ---- references ------------------------------------------------------------------------------------ */

/* A place in the text is met twice where a macro repeats its argument: then soon again. */
#define NEARBY 64

static void reference_push(struct reference_search *finding, struct reference reference)
{
	struct kernel *kernel = finding->kernel;

	for (unsigned i = kernel->reference_count > NEARBY ? kernel->reference_count - NEARBY : 0;
	     i < kernel->reference_count; i++) {
		struct reference *old = &kernel->references[i];

		if (old->whole.begin == reference.whole.begin && old->whole.end == reference.whole.end &&
		    old->parameter == reference.parameter && reference.whole.end) {
			old->is_read |= reference.is_read;
			old->is_written |= reference.is_written;
			old->address_taken |= reference.address_taken;
			return;
		}
	}
	ARENA_PUSH(finding->arena, kernel->references, kernel->reference_count, reference);
}

static const struct leaf *leaf_of(const struct record *record, const struct node *node, const struct element *element)
{
	const struct source_type *type = type_strip_reference(node->type);

	if (!record || type->type.record || type->shape == SHAPE_ARRAY)
		return NULL;
	return leaf_at(record, element->offset_bytes, type->type.size_bytes,
	               node->kind == NODE_MEMBER ? node->declaration->name : NULL);
}

/* Where the index's text ends must be the end of the brackets or parentheses around it. */
static bool index_is_text(const struct reference_search *finding, const struct element *element)
{
	struct range index = element->index->range;

	if (!lies_in(index, element->subscript->range))
		return false;
	if (element->subscript->kind == NODE_SUBSCRIPT)
		return text_behind(finding, index.end) == ']';
	return strchr(")+-", text_behind(finding, index.end)) != NULL;
}

/* Why the text is not what the syntax tree says, or NULL. */
static const char *text_reason(const struct reference_search *finding, const struct node *node,
                               const struct element *element, const struct parameter *parameter)
{
	const char *text = finding->unit->text;

	if (element->reason)
		return element->reason;
	if (rows_reason(finding, element->pointer))
		return rows_reason(finding, element->pointer);
	if (!text_is(finding, element->pointer->range, parameter->name) ||
	    !lies_in(element->pointer->range, node->range))
		return "it is spelled by a macro";
	if (element->index && !index_is_text(finding, element))
		return "its index is spelled by a macro";
	if (element->subscript->kind == NODE_SUBSCRIPT && text[element->subscript->range.end - 1] != ']')
		return "it is spelled by a macro";
	if (node->kind == NODE_MEMBER &&
	    !text_is(finding,
	             (struct range){node->range.end - (unsigned)strlen(node->declaration->name), node->range.end},
	             node->declaration->name))
		return "its member is spelled by a macro";
	return NULL;
}

static void push_element(struct reference_search *finding, const struct node *node, const struct element *element,
                         struct use use)
{
	const struct parameter *parameter = parameter_named(finding, element->pointer);
	const struct record *record = parameter->type.record;
	struct reference reference = {.kind = REFERENCE_ELEMENT,
	                              .parameter = parameter,
	                              .whole = trimmed(finding, node->range),
	                              .is_read = use.is_read,
	                              .is_written = use.is_written,
	                              .address_taken = use.address_taken,
	                              .place = element->pointer->place};

	reference.reason = text_reason(finding, node, element, parameter);
	reference.leaf = leaf_of(record, node, element);
	if (element->index) {
		reference.index = element->index->range;
		reference.index_has_side_effects = node_has_effects(element->index);
	}
	if (element->inner_count == 1)
		reference.inner = element->inner[0]->range;
	if (reference.reason) {
		reference.kind = REFERENCE_OTHER;
		reference.index = reference.inner = (struct range){0, 0};
	}
	reference_push(finding, reference);
	if (element->index)
		find_in(finding, element->index, use_read);
	for (unsigned i = 0; i < element->inner_count; i++)
		find_in(finding, element->inner[i], use_read);
}

static void push_other(struct reference_search *finding, const struct node *node, struct use use)
{
	const struct parameter *parameter = parameter_named(finding, node);

	reference_push(finding, (struct reference){
					.kind = REFERENCE_OTHER,
					.parameter = parameter,
					.reason = rows_reason(finding, node) ? rows_reason(finding, node) : use.reason,
					.passed_for = use.passed_for,
					.is_read = true,
					.whole = text_is(finding, node->range, parameter->name) ? node->range
	                                                                                        : (struct range){0, 0},
					.place = node->place});
}

/* ---- uses -------------------------------------------------------------------------------------------- */

static void find_children(struct reference_search *finding, const struct node *node, struct use use)
{
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i])
			find_in(finding, node->children[i], use);
}

static void find_in_assignment(struct reference_search *finding, const struct node *node)
{
	struct use written = {
		.is_read = node->op != OPERATOR_NONE, .is_written = true, .reason = "the pointer is changed"};
	struct use copied = {.is_read = true, .reason = "the pointer is copied"};

	find_in(finding, node->children[0], written);
	find_in(finding, node->children[1], copied);
}

/* Atomics read and write through their first argument, loads and stores like __ldg one of both. */
static struct use argument_use(const struct reference_search *finding, const struct node *call, unsigned position,
                               const struct source_declaration *parameter)
{
	const char *name = call->declaration ? call->declaration->name : "a function";
	struct use use = {.is_read = true, .reason = arena_printf(finding->arena, "passed to '%s'", name)};

	if (call->declaration && call->declaration->function && call->declaration->function->is_copy)
		return use;
	if (parameter)
		use.passed_for = parameter->name_range;
	if (parameter && parameter->type->shape == SHAPE_REFERENCE && !parameter->type->target->is_const)
		use.is_written = use.address_taken = true;
	if (position == 0 && call->declaration && call->declaration->in_system_header &&
	    strncmp(name, "atomic", 6) == 0)
		use.is_written = true;
	return use;
}

static void find_in_call(struct reference_search *finding, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	unsigned first = node->kind == NODE_CONSTRUCT ? 0 : 1;
	struct use object = {.is_read = true,
	                     .is_written = !function || !function->is_const_method,
	                     .address_taken = true,
	                     .reason = "a method is called on it"};

	if (function && function->is_copy && first)
		object = (struct use){.is_written = true, .reason = "it is assigned to"};
	if (first && node->children[0])
		find_in(finding, node->children[0], object);
	for (unsigned i = first; i < node->child_count; i++) {
		const struct source_declaration *parameter =
			function && i - first < function->parameter_count ? function->parameters[i - first] : NULL;

		if (node->children[i])
			find_in(finding, node->children[i], argument_use(finding, node, i - first, parameter));
	}
}

static void find_in_unary(struct reference_search *finding, const struct node *node, struct use use)
{
	struct use stepped = {.is_read = true, .is_written = true, .reason = "the pointer is stepped"};

	if (node->op == OPERATOR_ADDRESS) {
		use.address_taken = true;
		use.reason = "its address is taken";
		find_in(finding, node->children[0], use);
	} else if (node->op >= OPERATOR_INCREMENT_BEFORE && node->op <= OPERATOR_DECREMENT_AFTER) {
		find_in(finding, node->children[0], stepped);
	} else {
		find_in(finding, node->children[0], use_read);
	}
}

static void find_in_declaration(struct reference_search *finding, const struct node *node)
{
	const struct source_type *type = node->declaration->type;
	struct use use = {.is_read = true, .reason = "the pointer is copied"};

	if (type->shape == SHAPE_REFERENCE) {
		use.address_taken = true;
		use.is_written = !type->target->is_const;
		use.reason = "a reference is bound to it";
	}
	find_children(finding, node, use);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether a name stands as a word in a range of the text. */
static bool names(const struct reference_search *finding, struct range range, const char *name)
{
	const char *text = finding->unit->text;
	size_t length = strlen(name);

	for (unsigned at = range.begin; at + length <= range.end; at++)
		if (memcmp(text + at, name, length) == 0 && (at == 0 || !is_word(text[at - 1])) &&
		    !is_word(text[at + length]))
			return true;
	return false;
}

/* A lambda: its captures, and the body that was read of it; where none was, nothing is known of what it names. */
static void find_in_lambda(struct reference_search *finding, const struct node *node)
{
	const char *text = finding->unit->text,
		   *close = memchr(text + node->range.begin, ']', node->range.end - node->range.begin);
	struct range captures = {node->range.begin, close ? (unsigned)(close - text) : node->range.end};
	bool is_read = false;

	for (unsigned f = 0; f < finding->unit->function_count; f++) {
		const struct source_function *function = finding->unit->functions[f];

		if (!function->is_lambda || !function->body || !lies_in(function->body_range, node->range))
			continue;
		find_in(finding, function->body, use_nothing);
		is_read = true;
	}
	for (unsigned p = 0; p < finding->kernel->parameter_count; p++)
		if (finding->kernel->parameters[p].is_pointer &&
		    names(finding, is_read ? captures : node->range, finding->kernel->parameters[p].name))
			reference_push(finding,
			               (struct reference){.kind = REFERENCE_OTHER,
			                                  .parameter = &finding->kernel->parameters[p],
			                                  .reason = is_read ? "the pointer is captured"
			                                                    : "named in a lambda that is not called",
			                                  .is_read = true,
			                                  .place = node->place});
}

/* Uses of what lies below a node that is no element. */
static void find_below(struct reference_search *finding, const struct node *node, struct use use)
{
	struct use measured = {.reason = "its size is asked for"};
	struct use compared = {.is_read = true, .reason = "the pointer is computed with or compared"};

	switch (node->kind) {
	case NODE_ASSIGN:
		find_in_assignment(finding, node);
		break;
	case NODE_UNARY:
		find_in_unary(finding, node, use);
		break;
	case NODE_CALL:
	case NODE_CONSTRUCT:
	case NODE_LAUNCH:
		find_in_call(finding, node);
		break;
	case NODE_DECLARE:
		find_in_declaration(finding, node);
		break;
	case NODE_CAST:
		if (node->is_explicit && node->type->shape == SHAPE_POINTER)
			use.reason = "the pointer is cast";
		find_in(finding, node->children[0], use);
		break;
	case NODE_BINARY:
		find_children(finding, node, compared);
		break;
	case NODE_INTEGER:
		find_children(finding, node, measured);
		break;
	case NODE_LAMBDA:
		find_in_lambda(finding, node);
		break;
	case NODE_RETURN:
	case NODE_CONDITIONAL:
	case NODE_SUBSCRIPT:
	case NODE_LIST:
	case NODE_OPAQUE:
	case NODE_MEMBER:
		find_children(finding, node, use_read);
		break;
	default:
		find_children(finding, node, use_nothing);
		break;
	}
}

/* The member of an element that keeps its own layout and has in it what a node names; NULL where none does. */
static const struct node *whole_part(const struct reference_search *finding, const struct node *node)
{
	const struct node *found = NULL;
	struct element element = {0};

	for (const struct node *part = node_object(node); part; part = node_object(part)) {
		const struct record *record = part->type->type.record;

		if (record && (node_object(part) || part->is_arrow) &&
		    record_moves_whole(record, part->kind == NODE_SUBSCRIPT))
			found = part;
	}
	return found && match(finding, found, &element) ? found : NULL;
}

static void find_in(struct reference_search *finding, const struct node *node, struct use use)
{
	const struct node *whole =
		node->kind == NODE_SUBSCRIPT || node->kind == NODE_MEMBER ? whole_part(finding, node) : NULL;
	struct element element = {0};

	for (; whole && node != whole; node = node_object(node))
		if (node->kind == NODE_SUBSCRIPT)
			find_in(finding, node->children[1], use_read);
	if ((node->kind == NODE_SUBSCRIPT || node->kind == NODE_UNARY || node->kind == NODE_MEMBER) &&
	    match(finding, node, &element))
		push_element(finding, node, &element, use);
	else if (pointer_named(finding, node))
		push_other(finding, node, use);
	else
		find_below(finding, node, use);
}

void references_find(struct reference_search *finding)
{
	if (finding->function->body)
		find_in(finding, finding->function->body, use_nothing);
}
