/*
 * Expressions of the host: their constants, and what they do to variables.
 */
#include "analyzer/host/content/content.h"
#include "analyzer/host/library/library.h"

#include <string.h>

static const struct host_constant *function_value(struct host *host, struct source_function *function)
{
	struct host_constant *constant = arena_alloc(host->arena, sizeof(*constant));

	constant->kind = CONSTANT_FUNCTION;
	constant->function = function;
	return constant;
}

static const struct host_constant *reference_value(struct host *host, const struct node *node)
{
	if (node->declaration->kind == DECLARATION_FUNCTION)
		return function_value(host, node->declaration->function);
	return host_variable(host, node->declaration);
}

/* ---- changes ---------------------------------------------------------------------------------- */

const struct host_constant *host_assign_copy(struct host *host, const struct node *node)
{
	const struct host_constant *value = host_evaluate(host, node->children[1]);

	host_store(host, node->children[0], value);
	return value;
}

/* Between two characters of one string. */
static const struct host_constant *distance(struct host *host, const char *left, const char *right)
{
	size_t behind = strlen(right), before = strlen(left);

	if (behind >= before && right + (behind - before) == left)
		return host_integer(host, (int64_t)(behind - before));
	if (before > behind && left + (before - behind) == right)
		return host_integer(host, -(int64_t)(before - behind));
	return host_unknown(host, "the distance of pointers");
}

/* left op right in the type of a node; pointers are moved by elements. */
static const struct host_constant *combine(struct host *host, const struct node *node, enum node_operator op,
                                           const struct host_constant *left, const struct host_constant *right,
                                           const struct source_type *operand_type)
{
	const struct host_constant *pointer = host_is_pointer(left) ? left : right,
				   *count = pointer == left ? right : left;
	const struct source_type *type = node->type ? type_strip_reference(node->type) : NULL;
	int64_t bytes;

	if (op == OPERATOR_SUB && left->kind == CONSTANT_STRING && right->kind == CONSTANT_STRING)
		return distance(host, left->text, right->text);
	if (!type || type->shape != SHAPE_POINTER || !host_is_pointer(pointer) || count->kind != CONSTANT_INTEGER)
		return host_binary(host, op, left, right, operand_type, node->type);
	bytes = count->value * (int64_t)type->target->type.size_bytes;
	return op == OPERATOR_ADD || (op == OPERATOR_SUB && pointer == left)
	               ? host_move(host, pointer, op == OPERATOR_ADD ? bytes : -bytes)
	               : host_unknown(host, "a pointer that is moved");
}

static const struct host_constant *assign_value(struct host *host, const struct node *node)
{
	const struct host_constant *right = host_evaluate(host, node->children[1]), *left;

	if (node->op != OPERATOR_NONE) {
		left = host_evaluate(host, node->children[0]);
		right = combine(host, node, node->op, left, right, node->type);
	} else if (!host_place_of(host, node->children[0]).variable) {
		host_evaluate(host, node->children[0]);
	}
	host_content_set(host, node);
	host_store(host, node->children[0], right);
	return right;
}

static const struct host_constant *step_value(struct host *host, const struct node *node)
{
	bool up = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER;
	bool before = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_DECREMENT_BEFORE;
	const struct host_constant *old = host_evaluate(host, node->children[0]);
	const struct host_constant *stepped =
		combine(host, node, up ? OPERATOR_ADD : OPERATOR_SUB, old, host_integer(host, 1), node->type);

	host_store(host, node->children[0], stepped);
	return before ? stepped : old;
}

static const struct host_constant *address_value(struct host *host, const struct node *node)
{
	const struct node *operand = node_strip_casts(node->children[0]);
	struct host_place place = host_place_of(host, operand);
	const struct host_constant *pointer, *index;

	if (place.variable)
		return place.is_exact ? host_address(host, CONSTANT_ADDRESS, place)
		                      : host_unknown(host, "the address of an element");
	if (operand && operand->kind == NODE_SUBSCRIPT) {
		pointer = host_evaluate(host, operand->children[0]);
		index = host_evaluate(host, operand->children[1]);
		return host_is_pointer(pointer) && index->kind == CONSTANT_INTEGER
		               ? host_move(host, pointer, index->value * (int64_t)operand->type->type.size_bytes)
		               : host_unknown(host, "the address of an element");
	}
	host_store_element(host, operand, NULL);
	return host_evaluate(host, node->children[0]);
}

/* a[i]: an element of an array or a string. */
static const struct host_constant *element_value(struct host *host, const struct node *node)
{
	struct host_place place = host_place_of(host, node);
	const struct host_constant *base, *index, *property = host_device_property(host, node);

	if (property)
		return property;
	if (place.variable)
		return host_read(host, place, node->type);
	base = host_evaluate(host, node->children[0]);
	index = host_evaluate(host, node->children[1]);
	if (base->kind != CONSTANT_STRING || index->kind != CONSTANT_INTEGER || index->value < 0 ||
	    (uint64_t)index->value > strlen(base->text))
		return host_unknown(host, "a value in memory");
	return host_integer(host, base->text[index->value]);
}

static const struct host_constant *dereferenced_value(struct host *host, const struct node *node)
{
	struct host_place place = host_place_of(host, node);
	const struct host_constant *pointer;

	if (place.variable)
		return host_read(host, place, node->type);
	pointer = host_evaluate(host, node->children[0]);
	return pointer->kind == CONSTANT_STRING ? host_integer(host, pointer->text[0])
	                                        : host_unknown(host, "a value in memory");
}

static const struct host_constant *unary_value(struct host *host, const struct node *node)
{
	switch (node->op) {
	case OPERATOR_ADDRESS:
		return address_value(host, node);
	case OPERATOR_DEREFERENCE:
		return dereferenced_value(host, node);
	case OPERATOR_INCREMENT_BEFORE:
	case OPERATOR_INCREMENT_AFTER:
	case OPERATOR_DECREMENT_BEFORE:
	case OPERATOR_DECREMENT_AFTER:
		return step_value(host, node);
	default:
		return host_unary(host, node->op, host_evaluate(host, node->children[0]), node->type);
	}
}

/* ---- operators ----------------------------------------------------------------------------------- */

/* The value of an operand that may not be evaluated; what that changes is taken back, and stands in *changes. */
static const struct host_constant *way_value(struct host *host, const struct node *node, struct host_changes *changes)
{
	const struct host_constant *value;
	bool count_known = host->count_known;
	size_t mark = host->trail_count;

	host->count_known = false;
	value = host_evaluate(host, node);
	host->count_known = count_known;
	host->has_ended = false;
	*changes = host_undo(host, mark);
	return value;
}

static const struct host_constant *logical_value(struct host *host, const struct node *node)
{
	const struct host_constant *left = host_evaluate(host, node->children[0]), *right;
	bool deciding = node->op == OPERATOR_LOGICAL_OR, truth;
	struct host_changes changes, none = {NULL, 0};

	if (!host_truth(left, &truth)) {
		way_value(host, node->children[1], &changes);
		host_join_changes(host, &changes, &none);
		return host_unknown(host, "a condition that is not known");
	}
	if (truth == deciding)
		return host_integer(host, truth);
	right = host_evaluate(host, node->children[1]);
	return host_truth(right, &truth) ? host_integer(host, truth)
	                                 : host_unknown(host, "a condition that is not known");
}

static const struct host_constant *binary_value(struct host *host, const struct node *node)
{
	const struct host_constant *left;

	if (node->op == OPERATOR_LOGICAL_AND || node->op == OPERATOR_LOGICAL_OR)
		return logical_value(host, node);
	left = host_evaluate(host, node->children[0]);
	if (node->op == OPERATOR_COMMA)
		return host_evaluate(host, node->children[1]);
	return combine(host, node, node->op, left, host_evaluate(host, node->children[1]), node->children[0]->type);
}

static const struct host_constant *conditional_value(struct host *host, const struct node *node)
{
	const struct host_constant *condition = host_evaluate(host, node->children[0]), *yes, *no;
	struct host_changes changes[2];
	bool truth;

	if (host_truth(condition, &truth))
		return host_evaluate(host, node->children[truth ? 1 : 2]);
	yes = way_value(host, node->children[1], &changes[0]);
	no = way_value(host, node->children[2], &changes[1]);
	host_join_changes(host, &changes[0], &changes[1]);
	return host_join(host, yes, no);
}

/* ---- dim3 ------------------------------------------------------------------------------------------- */

/* dim3 from one to three numbers, or from another dim3. */
static const struct host_constant *dim3_value(struct host *host, const struct node *node)
{
	const struct host_constant *parts[3], *first;

	first = node->child_count ? host_evaluate(host, node->children[0]) : NULL;
	if (first && first->kind == CONSTANT_TRIPLE)
		return first;
	if (first && host_is_dim3(type_strip_reference(node->children[0]->type)))
		return first;
	for (unsigned i = 0; i < ARRAY_COUNT(parts); i++) {
		bool is_given = i < node->child_count && node->children[i]->kind != NODE_OPAQUE;

		parts[i] = !is_given ? host_integer(host, 1) : i == 0 ? first : host_evaluate(host, node->children[i]);
	}
	return host_triple(host, parts);
}

/* Whether a member is a container, which begins without elements. */
static bool is_container(const struct member *member, const struct source_type *type)
{
	const char *spelling = member->type.spelling;
	size_t length = spelling ? strlen(spelling) : 0;

	return member->count == 1 && length > 0 && spelling[length - 1] == '>' &&
	       host_library_type(type) == TYPE_CONTAINER;
}

/* The member that the i-th of braces makes, behind those for base classes. */
static unsigned member_of_list(const struct record *record, unsigned position)
{
	return record && position >= record->base_count ? position - record->base_count + record->inherited_count : 0;
}

/* The members that begin with a value, from one on; those of base classes have theirs from there. */
static const struct host_constant *defaults_set(struct host *host, const struct record *record,
                                                const struct host_constant *made, unsigned first)
{
	for (unsigned i = record && first < record->inherited_count ? record->inherited_count : first;
	     record && i < record->member_count; i++) {
		const struct member *member = &record->members[i];
		const struct source_type type = {.type = member->type,
		                                 .shape = member->type.record ? SHAPE_RECORD : SHAPE_OTHER};

		if (member->initializer)
			made = host_record_set(host, made, member->offset_bytes, &type,
			                       host_evaluate(host, member->initializer));
		else if (member->type.record && member->type.record->has_defaults_read && member->count == 1)
			made = host_record_set(host, made, member->offset_bytes, &type,
			                       host_defaults(host, member->type.record));
		else if (is_container(member, &type))
			made = host_member_set(host, made, member->offset_bytes,
			                       host_container(host, host_integer(host, 0)));
	}
	return made;
}

const struct host_constant *host_defaults(struct host *host, const struct record *record)
{
	return defaults_set(host, record, host_unknown(host, "an object"), 0);
}

/* What the i-th of braces makes: an element, a member of one of the file's records, or one of the system's; without a
 * type where there is none. */
static struct source_field field_of(const struct node *list, unsigned position)
{
	const struct record *record = list->type->type.record;
	const struct node *child = list->children[position];

	if (list->type->shape == SHAPE_ARRAY)
		return (struct source_field){list->type->target, position * list->type->target->type.size_bytes};
	if (record && position < record->base_count)
		return (struct source_field){child->type, record->bases[position].offset_bytes};
	if (record && member_of_list(record, position) < record->member_count)
		return (struct source_field){child->type,
		                             record->members[member_of_list(record, position)].offset_bytes};
	return position < list->type->field_count ? list->type->fields[position] : (struct source_field){NULL, 0};
}

/* The record or array that braces make: what they leave out is 0. */
static const struct host_constant *list_value(struct host *host, const struct node *list)
{
	const struct host_constant *made = host_zero(host, list->type), *value;

	for (unsigned i = 0; i < list->child_count; i++) {
		struct source_field field = field_of(list, i);

		value = host_evaluate(host, list->children[i]);
		if (field.type)
			made = host_record_set(host, made, field.offset_bytes, field.type,
			                       host_convert(host, value, field.type));
	}
	return defaults_set(host, list->type->type.record, made,
	                    member_of_list(list->type->type.record, list->child_count));
}

static const struct host_constant *aggregate_value(struct host *host, const struct node *node)
{
	const struct host_constant *first = node->kind == NODE_CONSTRUCT ? host_construct(host, node) : NULL;

	if (first)
		return first;
	if (host_is_dim3(node->type))
		return dim3_value(host, node);
	first = host_library_object(host, node);
	if (first)
		return first;
	if (node->kind == NODE_LIST && node->type &&
	    (node->type->shape == SHAPE_RECORD || node->type->shape == SHAPE_ARRAY))
		return list_value(host, node);
	if (node->kind == NODE_LIST && node->child_count == 1)
		return host_evaluate(host, node->children[0]);
	if (node->child_count == 1 && ((first = host_evaluate(host, node->children[0]))->kind == CONSTANT_RECORD ||
	                               first->kind == CONSTANT_TRIPLE))
		return first;
	for (unsigned i = node->child_count == 1; i < node->child_count; i++)
		host_evaluate(host, node->children[i]);
	return host_unknown(host, "an object");
}

/* ---- the entry ---------------------------------------------------------------------------------------- */

static const struct host_constant *evaluate_children(struct host *host, const struct node *node, const char *reason)
{
	for (unsigned i = 0; i < node->child_count; i++) {
		if (!node->children[i])
			continue;
		if (node->children[i]->type)
			host_evaluate(host, node->children[i]);
		else
			host_statement(host, node->children[i]);
	}
	return host_unknown(host, reason);
}

/* A pointer to an object of its own. */
static const struct host_constant *new_object(struct host *host, const struct source_type *type,
                                              const struct host_constant *value)
{
	struct source_declaration *variable = host_own_variable(host, "an object", type);

	if (!variable)
		return host_unknown(host, "one of very many objects");
	host_set(host, variable, value);
	return host_address(host, CONSTANT_ADDRESS, (struct host_place){variable, 0, true});
}

/* A string, or an object made by `new`; all else is run for what it does. */
static const struct host_constant *opaque_value(struct host *host, const struct node *node)
{
	const struct host_constant *value;

	if (node->text)
		return host_string(host, node->text);
	if (!node->declaration)
		return evaluate_children(host, node, "an expression that is no number");
	value = host_evaluate(host, node->children[0]);
	return new_object(host, node->declaration->type, value);
}

static bool is_host_memory(const struct node *node)
{
	node = node_strip_casts(node);
	return node->kind == NODE_CALL && node->declaration &&
	       (strcmp(node->declaration->name, "malloc") == 0 || strcmp(node->declaration->name, "calloc") == 0);
}

/* Pointers to bases begin where these lie. */
static const struct host_constant *cast_value(struct host *host, const struct node *node)
{
	const struct host_constant *value = host_evaluate(host, node->children[0]);

	if (node->value && node->type->shape == SHAPE_POINTER && host_is_pointer(value))
		return host_move(host, value, node->value);
	if (value->kind == CONSTANT_MEMORY && node->type->shape == SHAPE_POINTER && node->type->target->type.record &&
	    value->value == (int64_t)node->type->target->type.size_bytes && is_host_memory(node->children[0]))
		return new_object(host, node->type->target, host_unknown(host, "an object"));
	return host_convert(host, value, node->type);
}

static const struct host_constant *evaluate_kind(struct host *host, const struct node *node)
{
	switch (node->kind) {
	case NODE_INTEGER:
		return host_integer(host, node->value);
	case NODE_FLOATING:
		return host_convert(host, host_real(host, node->real), node->type);
	case NODE_REFERENCE:
		return reference_value(host, node);
	case NODE_MEMBER:
		return host_part(host, node);
	case NODE_UNARY:
		return unary_value(host, node);
	case NODE_BINARY:
		return binary_value(host, node);
	case NODE_ASSIGN:
		return assign_value(host, node);
	case NODE_CONDITIONAL:
		return conditional_value(host, node);
	case NODE_CAST:
		return cast_value(host, node);
	case NODE_CALL:
		return host_call(host, node);
	case NODE_LAUNCH:
		host_launch(host, node);
		return host_unknown(host, "no value");
	case NODE_CONSTRUCT:
	case NODE_LIST:
		return aggregate_value(host, node);
	case NODE_SUBSCRIPT:
		return element_value(host, node);
	case NODE_THIS:
		return host->object.variable ? host_address(host, CONSTANT_ADDRESS, host->object)
		                             : host_unknown(host, "an object that is not known");
	case NODE_OPAQUE:
		return opaque_value(host, node);
	case NODE_LAMBDA:
		return node->declaration ? function_value(host, node->declaration->function)
		                         : host_unknown(host, "an expression that is no number");
	default:
		return evaluate_children(host, node, "an expression that is no number");
	}
}

const struct host_constant *host_evaluate(struct host *host, const struct node *node)
{
	const struct host_constant *value;

	if (host->budget == 0 || host->depth > HOST_DEPTH_MAX)
		return host_unknown(host, "code that is left out");
	host->budget--;
	host->depth++;
	value = evaluate_kind(host, node);
	host->depth--;
	return value;
}
