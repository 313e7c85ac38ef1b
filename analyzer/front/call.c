/*
 * Expressions that make objects, call or convert: braces, `new`, lambdas; launches, calls of functions, methods and
 * constructors; casts, most of which libclang does not name.
 */
#include "analyzer/front/clang.h"

#include <string.h>

/* ---- casts -------------------------------------------------------------------------------------- */

static bool same_value(const struct source_type *to, const struct source_type *from)
{
	if (to->shape != from->shape)
		return false;
	if (type_is_integral(to))
		return to->bits == from->bits && to->is_signed == from->is_signed;
	return to->shape != SHAPE_POINTER || to->target == from->target;
}

struct base_search {
	CXType base;
	long long offset_bits; /* -1: not found */
	long long from_bits;
	CXCursor derived;
};

/* Looks for the base among the bases of the derived class, and theirs. */
static enum CXVisitorResult base_visit(CXCursor cursor, CXClientData data)
{
	struct base_search *search = data;
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	long long offset_bits = clang_getOffsetOfBase(search->derived, cursor);
	struct base_search deeper = {search->base, -1, search->from_bits + offset_bits, clang_getTypeDeclaration(type)};

	if (offset_bits < 0 || clang_isVirtualBase(cursor))
		return CXVisit_Continue;
	if (clang_equalTypes(type, search->base))
		deeper.offset_bits = deeper.from_bits;
	else
		clang_visitCXXBaseClasses(type, base_visit, &deeper);
	if (deeper.offset_bits >= 0)
		search->offset_bits = deeper.offset_bits;
	return search->offset_bits >= 0 ? CXVisit_Break : CXVisit_Continue;
}

static CXType record_below(CXType type)
{
	type = clang_getCanonicalType(type);
	if (type.kind == CXType_Pointer || type.kind == CXType_LValueReference)
		type = clang_getCanonicalType(clang_getPointeeType(type));
	return clang_getCanonicalType(clang_getUnqualifiedType(type));
}

/* Where a base lies in a class; negative where it is no base of it. */
static long long base_offset_bits(CXType derived, CXType base)
{
	struct base_search search = {.base = base, .offset_bits = -1, .derived = clang_getTypeDeclaration(derived)};

	clang_visitCXXBaseClasses(derived, base_visit, &search);
	return search.offset_bits;
}

/* Makes a CAST from a class, or a pointer to it, to its base; value is the base's offset. False where it is none. */
static bool base_cast(struct node *node, CXCursor cursor)
{
	const struct source_type *to = node->type, *from = node->children[0]->type;
	long long offset_bits;
	CXCursor child;
	CXType derived, base;

	if (to->shape == SHAPE_POINTER && from->shape == SHAPE_POINTER && to->target && from->target) {
		to = to->target;
		from = from->target;
	}
	if (to->shape != SHAPE_RECORD || from->shape != SHAPE_RECORD || front_children(cursor, &child, 1) != 1)
		return false;
	base = record_below(clang_getCursorType(cursor));
	derived = record_below(clang_getCursorType(child));
	if (clang_equalTypes(derived, base))
		return false;
	offset_bits = base_offset_bits(derived, base);
	if (offset_bits < 0)
		return false;
	node->kind = NODE_CAST;
	node->value = offset_bits / 8;
	return true;
}

struct node *front_read_base(struct front *front, CXCursor constructor, CXCursor made, CXType type)
{
	struct node *node = front_node(front, NODE_CAST, made), *object = front_node(front, NODE_UNARY, made),
		    *self = front_node(front, NODE_THIS, made);
	CXType own = clang_getCursorType(clang_getCursorSemanticParent(constructor)), base = record_below(type);
	long long offset_bits =
		clang_equalTypes(record_below(own), base) ? 0 : base_offset_bits(record_below(own), base);

	if (offset_bits < 0)
		return NULL;
	node->type = front_type(front, type);
	self->range = (struct range){0, 0};
	self->type = node->type;
	object->op = OPERATOR_DEREFERENCE;
	object->type = front_type(front, own);
	front_push(front, object, self);
	front_push(front, node, object);
	node->value = offset_bits / 8;
	return node;
}

/* What libclang does not name: an implicit cast around one operand, a default argument, a wrapper. */
struct node *front_read_unexposed(struct front *front, CXCursor cursor)
{
	struct node *node = front_opaque(front, cursor, "an expression outside the model"), *operand;

	front_push_children(front, node, cursor);
	if (node->child_count == 0)
		front_evaluate(node, cursor);
	if (node->child_count != 1)
		return node;
	operand = node->children[0];
	if (!operand->type || !node->type)
		return operand;
	if (base_cast(node, cursor))
		return node;
	if (same_value(node->type, operand->type))
		return operand;
	if (node->type->shape == SHAPE_RECORD || node->type->shape == SHAPE_OTHER || operand->kind == NODE_OPAQUE)
		return operand;
	if (operand->type->shape == SHAPE_RECORD || node->type->shape == SHAPE_FUNCTION)
		return operand;
	node->kind = NODE_CAST;
	node->value = 0;
	return node;
}

struct node *front_read_cast(struct front *front, CXCursor cursor)
{
	struct node *node = front_push_children(front, front_expression_node(front, NODE_CAST, cursor), cursor);

	node->is_explicit = true;
	if (node->child_count == 0) {
		node->kind = NODE_OPAQUE;
		node->reason = "a cast outside the model";
		front_evaluate(node, cursor);
		return node;
	}
	node->children[0] = node->children[node->child_count - 1];
	node->child_count = 1;
	return node->type->shape == SHAPE_RECORD ? node->children[0] : node;
}

/* ---- objects ------------------------------------------------------------------------------------- */

struct field_reading {
	struct front *front;
	struct member *member;
};

static enum CXChildVisitResult default_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct field_reading *reading = data;

	(void)parent;
	if (clang_isExpression(clang_getCursorKind(cursor)))
		reading->member->initializer = front_expression(reading->front, cursor);
	return CXChildVisit_Continue;
}

struct system_fields {
	struct front *front;
	struct source_type *type;
};

static enum CXVisitorResult field_visit(CXCursor cursor, CXClientData data)
{
	struct field_reading *reading = data;

	if (!reading->member->is_bitfield)
		clang_visitChildren(cursor, default_visit, reading);
	front_read_defaults(reading->front, clang_getCursorType(cursor));
	reading->member++;
	return CXVisit_Continue;
}

void front_read_defaults(struct front *front, CXType type)
{
	CXType plain = clang_getCanonicalType(clang_getUnqualifiedType(clang_getCanonicalType(type)));
	struct record *record = front_type(front, plain)->type.record;
	struct field_reading reading = {front,
	                                record && record->members ? record->members + record->inherited_count : NULL};

	if (!record || record->is_vector_type || record->has_defaults_read)
		return;
	record->has_defaults_read = true;
	clang_Type_visitFields(plain, field_visit, &reading);
}

static enum CXVisitorResult system_field_visit(CXCursor cursor, CXClientData data)
{
	struct system_fields *fields = data;
	long long offset_bits = clang_Cursor_getOffsetOfField(cursor);
	struct source_field field = {front_type(fields->front, clang_getCursorType(cursor)),
	                             offset_bits > 0 ? (uint64_t)offset_bits / 8 : 0};

	ARENA_PUSH(fields->front->arena, fields->type->fields, fields->type->field_count, field);
	return CXVisit_Continue;
}

struct node *front_read_list(struct front *front, CXCursor cursor)
{
	struct node *node = front_expression_node(front, NODE_LIST, cursor);
	CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
	struct system_fields fields = {front, front_type_without_fields(front, type)};

	front_read_defaults(front, type);
	if (fields.type)
		clang_Type_visitFields(type, system_field_visit, &fields);
	return front_push_children(front, node, cursor);
}

struct node *front_read_new(struct front *front, CXCursor cursor)
{
	struct node *node = front_opaque(front, cursor, "an expression outside the model");
	const struct source_type *type = node->type->shape == SHAPE_POINTER ? node->type->target : NULL;

	node->escapes = true;
	front_push_children(front, node, cursor);
	if (type && type->type.record && node->child_count == 1 && node->children[0]->kind == NODE_CONSTRUCT)
		node->declaration = front_unnamed_variable(front, "new", type, node->place);
	return node;
}

static enum CXChildVisitResult operator_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_CXXMethod)
		return CXChildVisit_Continue;
	*(CXCursor *)data = cursor;
	return CXChildVisit_Break;
}

/* A lambda. One that launches is a function of its own, which is walked also where nothing of the file calls it. */
struct node *front_read_lambda(struct front *front, CXCursor cursor)
{
	struct node *node = front_expression_node(front, NODE_LAMBDA, cursor);
	CXCursor body = clang_getNullCursor();
	size_t length = node->range.end - node->range.begin;

	if (!memmem(front->unit->text + node->range.begin, length, "<<<", 3) &&
	    !memmem(front->unit->text + node->range.begin, length, "Launch", 6))
		return node;
	clang_visitChildren(clang_getTypeDeclaration(clang_getCursorType(cursor)), operator_visit, &body);
	if (!clang_Cursor_isNull(body))
		node->declaration = front_declaration(front, body);
	return node;
}

/* ---- calls ----------------------------------------------------------------------------------------- */

static const char launch_configuration[] = "__cudaPushCallConfiguration";
static const char launch_configuration_old[] = "cudaConfigureCall";

static bool is_configuration(CXCursor cursor)
{
	CXString name = clang_getCursorSpelling(cursor);
	const char *text = clang_getCString(name);
	bool is = text && (strcmp(text, launch_configuration) == 0 || strcmp(text, launch_configuration_old) == 0);

	clang_disposeString(name);
	return is && clang_getCursorKind(cursor) == CXCursor_CallExpr;
}

static void push_arguments(struct front *front, struct node *node, CXCursor cursor)
{
	int count = clang_Cursor_getNumArguments(cursor);

	for (int i = 0; i < count; i++)
		front_push(front, node, front_expression(front, clang_Cursor_getArgument(cursor, (unsigned)i)));
}

/*
 * The object that a method is called on; NULL where there is none, as in an operator's call, whose first child is its
 * left operand: that may be a member too.
 */
static struct node *read_call_object(struct front *front, CXCursor callee)
{
	enum CXCursorKind kind;
	CXCursor object;

	while (clang_getCursorKind(callee) == CXCursor_UnexposedExpr && front_children(callee, &object, 1) == 1)
		callee = object;
	kind = clang_getCursorKind(clang_getCursorReferenced(callee));
	if (clang_getCursorKind(callee) != CXCursor_MemberRefExpr || kind == CXCursor_FieldDecl ||
	    kind == CXCursor_VarDecl)
		return NULL;
	if (front_children(callee, &object, 1) == 0 || record_below(clang_getCursorType(object)).kind != CXType_Record)
		return front_expression_node(front, NODE_THIS, callee);
	return front_expression(front, object);
}

/* Operators written as operators take their object as first argument. */
static void call_move_object(struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;

	if (!function || !function->is_method || function->is_static_method || node->children[0] ||
	    node->child_count < 2)
		return;
	for (unsigned i = 0; i + 1 < node->child_count; i++)
		node->children[i] = node->children[i + 1];
	node->child_count--;
}

/* The call that configures a launch; the kernel's expression takes the place of its object where that names no
 * function. */
static struct node *read_configuration(struct front *front, CXCursor cursor, CXCursor callee,
                                       const struct source_declaration *named)
{
	struct node *configuration = front_expression(front, cursor);

	if (configuration->kind == NODE_CALL && (!named || named->kind != DECLARATION_FUNCTION))
		configuration->children[0] = front_expression(front, callee);
	return configuration;
}

struct node *front_read_call(struct front *front, CXCursor cursor)
{
	CXCursor first[2], referenced = clang_getCursorReferenced(cursor);
	unsigned count = front_children(cursor, first, ARRAY_COUNT(first));
	struct node *node = front_expression_node(front, NODE_CALL, cursor);

	node->declaration = front_declaration(front, referenced);
	if (clang_getCursorKind(referenced) == CXCursor_Constructor) {
		node->kind = NODE_CONSTRUCT;
		front_read_defaults(front, clang_getCursorType(cursor));
	} else if (count >= 2 && is_configuration(first[1])) {
		node->kind = NODE_LAUNCH;
		front_push(front, node, read_configuration(front, first[1], first[0], node->declaration));
	} else {
		front_push(front, node, count ? read_call_object(front, first[0]) : NULL);
	}
	push_arguments(front, node, cursor);
	if (node->kind == NODE_CALL)
		call_move_object(node);
	return node;
}
