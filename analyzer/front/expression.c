/*
 * Expressions: from libclang's cursors to nodes.
 *
 * libclang hides implicit casts, default arguments and the like behind one kind, UnexposedExpr: what it is shows in its
 * type and its child. Constants (literals, sizeof, enumerators, template arguments) become INTEGER or FLOATING.
 */
#include "analyzer/front/clang.h"

#include <string.h>

/* ---- building nodes ------------------------------------------------------------------ */

struct node *front_node(struct front *front, enum node_kind kind, CXCursor cursor)
{
	struct node *node = arena_alloc(front->arena, sizeof(*node));

	node->kind = kind;
	node->range = front_range(front, clang_getCursorExtent(cursor), &node->place);
	return node;
}

struct node *front_expression_node(struct front *front, enum node_kind kind, CXCursor cursor)
{
	struct node *node = front_node(front, kind, cursor);

	node->type = front_type(front, clang_getCursorType(cursor));
	return node;
}

/* Most nodes have one child or two: room for twice as many as there are. */
void front_push(struct front *front, struct node *node, struct node *child)
{
	unsigned count = node->child_count;

	if ((count & (count - 1)) == 0) {
		struct node **children =
			arena_array(front->arena, count ? 2 * (size_t)count : 1, sizeof(struct node *));

		if (count)
			memcpy(children, node->children, count * sizeof(struct node *));
		node->children = children;
	}
	node->children[node->child_count++] = child;
}

struct node *front_opaque(struct front *front, CXCursor cursor, const char *reason)
{
	struct node *node = front_expression_node(front, NODE_OPAQUE, cursor);

	node->reason = reason;
	return node;
}

struct child_list {
	CXCursor *list;
	unsigned count, capacity;
};

static enum CXChildVisitResult child_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct child_list *children = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (!clang_isExpression(kind) && !clang_isStatement(kind) && kind != CXCursor_VarDecl)
		return CXChildVisit_Continue;
	if (children->count < children->capacity)
		children->list[children->count] = cursor;
	children->count++;
	return CXChildVisit_Continue;
}

unsigned front_children(CXCursor cursor, CXCursor *children, unsigned capacity)
{
	struct child_list list = {children, 0, capacity};

	clang_visitChildren(cursor, child_visit, &list);
	return list.count;
}

struct child_pushing {
	struct front *front;
	struct node *node;
};

static enum CXChildVisitResult push_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct child_pushing *pushing = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (clang_isExpression(kind) || kind == CXCursor_StmtExpr)
		front_push(pushing->front, pushing->node, front_expression(pushing->front, cursor));
	return CXChildVisit_Continue;
}

struct node *front_push_children(struct front *front, struct node *node, CXCursor cursor)
{
	struct child_pushing pushing = {front, node};

	clang_visitChildren(cursor, push_visit, &pushing);
	return node;
}

/* ---- constants -------------------------------------------------------------------------- */

bool front_evaluate(struct node *node, CXCursor cursor)
{
	bool is_arithmetic = type_is_integral(node->type) || node->type->shape == SHAPE_FLOAT;
	CXEvalResult result = is_arithmetic ? clang_Cursor_Evaluate(cursor) : NULL;
	CXEvalResultKind kind = result ? clang_EvalResult_getKind(result) : CXEval_UnExposed;

	if (kind == CXEval_Int) {
		node->kind = NODE_INTEGER;
		node->value = clang_EvalResult_isUnsignedInt(result) ? (int64_t)clang_EvalResult_getAsUnsigned(result)
		                                                     : (int64_t)clang_EvalResult_getAsLongLong(result);
	} else if (kind == CXEval_Float) {
		node->kind = NODE_FLOATING;
		node->real = clang_EvalResult_getAsDouble(result);
	}
	if (result)
		clang_EvalResult_dispose(result);
	return kind == CXEval_Int || kind == CXEval_Float;
}

static struct node *read_constant(struct front *front, CXCursor cursor, const char *otherwise)
{
	struct node *node = front_opaque(front, cursor, otherwise);

	front_evaluate(node, cursor);
	return node;
}

/* sizeof and alignof: the operand is kept, it is not evaluated but names variables. */
static struct node *read_sizeof(struct front *front, CXCursor cursor)
{
	struct node *node = read_constant(front, cursor, "sizeof of a type whose size is not known");

	return node->kind == NODE_INTEGER ? front_push_children(front, node, cursor) : node;
}

/* The text between quotes, with the escapes that words of a command line could have; NULL where there are others. */
static const char *string_text(struct front *front, const char *quoted)
{
	const char *from = strchr(quoted, '"'), *end = strrchr(quoted, '"');
	char *text, *to;

	if (!from || from == end || from != quoted)
		return NULL;
	text = to = arena_array(front->arena, strlen(quoted) + 1, 1);
	for (from++; from < end; from++) {
		if (*from == '\\' && !strchr("\\\"'", *++from))
			return NULL;
		*to++ = *from;
	}
	return text;
}

static struct node *read_string(struct front *front, CXCursor cursor)
{
	struct node *node = front_opaque(front, cursor, "a string");

	node->text = string_text(front, front_text(front, clang_getCursorSpelling(cursor)));
	return node;
}

/* ---- names ---------------------------------------------------------------------------------- */

static struct node *read_reference(struct front *front, CXCursor cursor)
{
	CXCursor referenced = clang_getCursorReferenced(cursor), child;
	enum CXCursorKind kind = clang_getCursorKind(referenced);
	struct node *node;

	if (kind == CXCursor_EnumConstantDecl) {
		node = front_expression_node(front, NODE_INTEGER, cursor);
		node->value = clang_getEnumConstantDeclValue(referenced);
		return node;
	}
	node = front_expression_node(front, NODE_REFERENCE, cursor);
	node->declaration = front_declaration(front, referenced);
	if (node->declaration)
		return node;
	if (front_children(cursor, &child, 1) == 1)
		return front_expression(front, child);
	return read_constant(front, cursor, "a name that is no variable");
}

/*
 * Anonymous unions and structures between an object and its member are not shown: the object's type knows the whole
 * offset.
 */
static void add_anonymous_offset(struct node *node, CXCursor cursor, CXType object)
{
	CXCursor field = clang_getCursorReferenced(cursor);
	CXType record = clang_getCanonicalType(object);
	long long offset_bits;

	if (!clang_Cursor_isAnonymousRecordDecl(clang_getCursorSemanticParent(field)))
		return;
	if (record.kind == CXType_Pointer)
		record = clang_getCanonicalType(clang_getPointeeType(record));
	offset_bits = clang_Type_getOffsetOf(record, node->declaration->name);
	if (offset_bits >= 0)
		node->value = offset_bits / 8;
}

/* Makes the object `this` of a member that is named alone. */
static void push_this(struct front *front, struct node *node, CXCursor cursor)
{
	struct node *object = front_expression_node(front, NODE_THIS, cursor);

	object->range = (struct range){0, 0};
	node->is_arrow = true;
	front_push(front, node, object);
}

struct node *front_read_initialized(struct front *front, CXCursor cursor)
{
	struct node *node = front_expression_node(front, NODE_MEMBER, cursor);

	node->declaration = front_declaration(front, clang_getCursorReferenced(cursor));
	if (!node->declaration || node->declaration->kind != DECLARATION_FIELD)
		return front_opaque(front, cursor, "a member that is no data");
	node->type = node->declaration->type;
	node->value = (int64_t)node->declaration->offset_bytes;
	push_this(front, node, cursor);
	return node;
}

/* object.field, pointer->field, field of `this`; static members are plain references. */
static struct node *read_member(struct front *front, CXCursor cursor)
{
	struct node *node = front_expression_node(front, NODE_MEMBER, cursor), *object;
	CXCursor child;

	node->declaration = front_declaration(front, clang_getCursorReferenced(cursor));
	if (!node->declaration || node->declaration->kind != DECLARATION_FIELD) {
		bool is_variable = node->declaration && node->declaration->kind == DECLARATION_VARIABLE;

		node->kind = is_variable ? NODE_REFERENCE : NODE_OPAQUE;
		if (!is_variable) {
			node->declaration = NULL;
			node->reason = "a member that is no data";
			front_push_children(front, node, cursor);
		}
		return node;
	}
	node->value = (int64_t)node->declaration->offset_bytes;
	if (front_children(cursor, &child, 1) == 0) {
		push_this(front, node, cursor);
		return node;
	}
	object = front_expression(front, child);
	node->is_arrow = object->type && type_strip_reference(object->type)->shape == SHAPE_POINTER;
	add_anonymous_offset(node, cursor, clang_getCursorType(child));
	front_push(front, node, object);
	return node;
}

/* ---- operators ------------------------------------------------------------------------------- */

static enum node_operator binary_operator(enum CXBinaryOperatorKind kind)
{
	switch (kind) {
	case CXBinaryOperator_Mul:
	case CXBinaryOperator_MulAssign:
		return OPERATOR_MUL;
	case CXBinaryOperator_Div:
	case CXBinaryOperator_DivAssign:
		return OPERATOR_DIV;
	case CXBinaryOperator_Rem:
	case CXBinaryOperator_RemAssign:
		return OPERATOR_MOD;
	case CXBinaryOperator_Add:
	case CXBinaryOperator_AddAssign:
		return OPERATOR_ADD;
	case CXBinaryOperator_Sub:
	case CXBinaryOperator_SubAssign:
		return OPERATOR_SUB;
	case CXBinaryOperator_Shl:
	case CXBinaryOperator_ShlAssign:
		return OPERATOR_SHL;
	case CXBinaryOperator_Shr:
	case CXBinaryOperator_ShrAssign:
		return OPERATOR_SHR;
	case CXBinaryOperator_And:
	case CXBinaryOperator_AndAssign:
		return OPERATOR_AND;
	case CXBinaryOperator_Xor:
	case CXBinaryOperator_XorAssign:
		return OPERATOR_XOR;
	case CXBinaryOperator_Or:
	case CXBinaryOperator_OrAssign:
		return OPERATOR_OR;
	case CXBinaryOperator_LT:
		return OPERATOR_LT;
	case CXBinaryOperator_GT:
		return OPERATOR_GT;
	case CXBinaryOperator_LE:
		return OPERATOR_LE;
	case CXBinaryOperator_GE:
		return OPERATOR_GE;
	case CXBinaryOperator_EQ:
		return OPERATOR_EQ;
	case CXBinaryOperator_NE:
		return OPERATOR_NE;
	case CXBinaryOperator_LAnd:
		return OPERATOR_LOGICAL_AND;
	case CXBinaryOperator_LOr:
		return OPERATOR_LOGICAL_OR;
	case CXBinaryOperator_Comma:
		return OPERATOR_COMMA;
	case CXBinaryOperator_Assign:
		return OPERATOR_NONE;
	default:
		return OPERATOR_OTHER;
	}
}

static enum node_operator unary_operator(enum CXUnaryOperatorKind kind)
{
	switch (kind) {
	case CXUnaryOperator_PostInc:
		return OPERATOR_INCREMENT_AFTER;
	case CXUnaryOperator_PostDec:
		return OPERATOR_DECREMENT_AFTER;
	case CXUnaryOperator_PreInc:
		return OPERATOR_INCREMENT_BEFORE;
	case CXUnaryOperator_PreDec:
		return OPERATOR_DECREMENT_BEFORE;
	case CXUnaryOperator_AddrOf:
		return OPERATOR_ADDRESS;
	case CXUnaryOperator_Deref:
		return OPERATOR_DEREFERENCE;
	case CXUnaryOperator_Minus:
		return OPERATOR_NEG;
	case CXUnaryOperator_Not:
		return OPERATOR_NOT;
	case CXUnaryOperator_LNot:
		return OPERATOR_LOGICAL_NOT;
	case CXUnaryOperator_Plus:
	case CXUnaryOperator_Extension:
		return OPERATOR_NONE;
	default:
		return OPERATOR_OTHER;
	}
}

static struct node *read_binary(struct front *front, CXCursor cursor)
{
	enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
	struct node *node = front_expression_node(front, NODE_BINARY, cursor);

	node->op = binary_operator(kind);
	if (kind == CXBinaryOperator_Assign || clang_getCursorKind(cursor) == CXCursor_CompoundAssignOperator)
		node->kind = NODE_ASSIGN;
	front_push_children(front, node, cursor);
	if (node->child_count != 2 || node->op == OPERATOR_OTHER) {
		node->kind = NODE_OPAQUE;
		node->reason = "an operator outside the model";
	}
	return node;
}

static struct node *read_unary(struct front *front, CXCursor cursor)
{
	struct node *node = front_expression_node(front, NODE_UNARY, cursor);

	node->op = unary_operator(clang_getCursorUnaryOperatorKind(cursor));
	front_push_children(front, node, cursor);
	if (node->child_count == 1 && node->op == OPERATOR_NONE)
		return node->children[0];
	if (node->child_count != 1 || node->op == OPERATOR_OTHER) {
		node->kind = NODE_OPAQUE;
		node->reason = "an operator outside the model";
	}
	return node;
}

/* A node of a fixed number of children, OPAQUE where libclang shows another number. */
static struct node *read_fixed(struct front *front, CXCursor cursor, enum node_kind kind, unsigned count)
{
	struct node *node = front_push_children(front, front_expression_node(front, kind, cursor), cursor);

	if (node->child_count != count) {
		node->kind = NODE_OPAQUE;
		node->reason = "an expression outside the model";
	}
	return node;
}

static struct node *read_subscript(struct front *front, CXCursor cursor)
{
	struct node *node = read_fixed(front, cursor, NODE_SUBSCRIPT, 2);

	if (node->kind == NODE_SUBSCRIPT && type_is_integral(node->children[0]->type)) {
		struct node *index = node->children[0];

		node->children[0] = node->children[1];
		node->children[1] = index;
	}
	return node;
}

/* ---- the rest ------------------------------------------------------------------------------------------ */

static struct node *read_parenthesis(struct front *front, CXCursor cursor)
{
	CXCursor child;

	return front_children(cursor, &child, 1) == 1 ? front_expression(front, child)
	                                              : front_opaque(front, cursor, "an expression outside the model");
}

static struct node *read_other(struct front *front, CXCursor cursor, const char *reason)
{
	struct node *node = front_opaque(front, cursor, reason);

	node->escapes = true;
	return front_push_children(front, node, cursor);
}

static struct node *read_statement_expression(struct front *front, CXCursor cursor)
{
	struct node *node = read_other(front, cursor, "a statement expression");
	CXCursor block;

	if (front_children(cursor, &block, 1) == 1)
		front_push(front, node, front_statement(front, block));
	return node;
}

static struct node *expression_of_kind(struct front *front, CXCursor cursor)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_CXXBoolLiteralExpr:
	case CXCursor_SizeOfPackExpr:
		return read_constant(front, cursor, "a constant of unknown value");
	case CXCursor_CXXNullPtrLiteralExpr:
	case CXCursor_GNUNullExpr:
		return front_expression_node(front, NODE_INTEGER, cursor);
	case CXCursor_UnaryExpr:
		return read_sizeof(front, cursor);
	case CXCursor_StringLiteral:
		return read_string(front, cursor);
	case CXCursor_ParenExpr:
		return read_parenthesis(front, cursor);
	case CXCursor_DeclRefExpr:
		return read_reference(front, cursor);
	case CXCursor_MemberRefExpr:
		return read_member(front, cursor);
	case CXCursor_CXXThisExpr:
		return front_expression_node(front, NODE_THIS, cursor);
	case CXCursor_ArraySubscriptExpr:
		return read_subscript(front, cursor);
	case CXCursor_UnaryOperator:
		return read_unary(front, cursor);
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return read_binary(front, cursor);
	case CXCursor_ConditionalOperator:
		return read_fixed(front, cursor, NODE_CONDITIONAL, 3);
	case CXCursor_CStyleCastExpr:
	case CXCursor_CXXStaticCastExpr:
	case CXCursor_CXXReinterpretCastExpr:
	case CXCursor_CXXConstCastExpr:
	case CXCursor_CXXFunctionalCastExpr:
		return front_read_cast(front, cursor);
	case CXCursor_CallExpr:
		return front_read_call(front, cursor);
	case CXCursor_CXXNewExpr:
		return front_read_new(front, cursor);
	case CXCursor_InitListExpr:
		return front_read_list(front, cursor);
	case CXCursor_LambdaExpr:
		return front_read_lambda(front, cursor);
	case CXCursor_StmtExpr:
		return read_statement_expression(front, cursor);
	case CXCursor_UnexposedExpr:
		return front_read_unexposed(front, cursor);
	default:
		return read_other(front, cursor, "an expression outside the model");
	}
}

struct node *front_expression(struct front *front, CXCursor cursor)
{
	struct node *node;

	if (front->depth >= FRONT_DEPTH_MAX)
		return front_opaque(front, cursor, "nested too deeply");
	front->depth++;
	node = expression_of_kind(front, cursor);
	front->depth--;
	return node;
}
