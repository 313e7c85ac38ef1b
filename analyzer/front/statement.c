/*
 * Statements: from libclang's cursors to nodes. Loops are in loop.c.
 */
#include "analyzer/front/clang.h"

#include <string.h>

/* ---- if, switch, while ------------------------------------------------------------------ */

/* How many of the children stand before the condition: a declaration, or an expression that a semicolon ends. */
static unsigned parts_before_condition(struct front *front, const struct front_head *head)
{
	unsigned position = 0;

	while (position + 1 < head->count) {
		enum CXCursorKind kind = clang_getCursorKind(head->children[position]);
		bool is_before = kind == CXCursor_DeclStmt || kind == CXCursor_VarDecl;

		if (head->has_text && head->semicolon_count)
			is_before =
				is_before || front_cursor_begin(front, head->children[position]) < head->semicolons[0];
		if (!is_before)
			break;
		position++;
	}
	return position;
}

/* The parts before the condition as one node, or NULL. */
static struct node *read_before(struct front *front, CXCursor cursor, const struct front_head *head, unsigned count)
{
	struct node *block;

	if (count == 0)
		return NULL;
	if (count == 1)
		return front_statement(front, head->children[0]);
	block = front_node(front, NODE_BLOCK, cursor);
	for (unsigned i = 0; i < count; i++)
		front_push(front, block, front_statement(front, head->children[i]));
	return block;
}

struct hidden_search {
	struct front *front;
	unsigned begin, end;
	CXCursor found;
};

static enum CXChildVisitResult hidden_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct hidden_search *search = data;
	CXCursor variable = clang_getCursorKind(cursor) == CXCursor_DeclRefExpr ? clang_getCursorReferenced(cursor)
	                                                                        : clang_getNullCursor();
	unsigned begin;

	(void)parent;
	if (clang_getCursorKind(variable) != CXCursor_VarDecl)
		return CXChildVisit_Recurse;
	begin = front_cursor_begin(search->front, variable);
	if (begin <= search->begin || begin >= search->end)
		return CXChildVisit_Recurse;
	search->found = variable;
	return CXChildVisit_Break;
}

/* The variable of `switch (int v = e; v)`, which libclang does not list among the children: found where it is used.
 * NULL where there is none. */
static struct node *read_hidden(struct front *front, CXCursor cursor, const struct front_head *head)
{
	struct hidden_search search = {front, head->open, 0, clang_getNullCursor()};

	if (!head->has_text || head->semicolon_count == 0)
		return NULL;
	search.end = head->semicolons[0];
	clang_visitChildren(cursor, hidden_visit, &search);
	return clang_Cursor_isNull(search.found) ? NULL : front_statement(front, search.found);
}

/* [init, condition, then, else], or for other kinds as many parts as `parts` says. */
static struct node *read_conditional(struct front *front, CXCursor cursor, enum node_kind kind, const char *keyword,
                                     unsigned parts)
{
	struct node *node = front_node(front, kind, cursor);
	struct front_head head = front_head_read(front, cursor, node->range, keyword);
	unsigned before = parts_before_condition(front, &head);

	front_push(front, node,
	           before || kind != NODE_SWITCH ? read_before(front, cursor, &head, before)
	                                         : read_hidden(front, cursor, &head));
	for (unsigned i = 0; i + 1 < parts; i++)
		front_push(front, node,
		           before + i < head.count ? front_statement(front, head.children[before + i]) : NULL);
	return node;
}

/* ---- blocks and declarations --------------------------------------------------------------------- */

struct block_reading {
	struct front *front;
	struct node *block;
};

static enum CXChildVisitResult block_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct block_reading *reading = data;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (clang_isStatement(kind) || clang_isExpression(kind) || kind == CXCursor_VarDecl)
		front_push(reading->front, reading->block, front_statement(reading->front, cursor));
	else if (kind == CXCursor_UnexposedDecl)
		front_push(reading->front, reading->block,
		           front_push_children(reading->front,
		                               front_opaque(reading->front, cursor, "what a structured binding names"),
		                               cursor));
	return CXChildVisit_Continue;
}

static struct node *read_block(struct front *front, CXCursor cursor, enum node_kind kind)
{
	struct node *block = front_node(front, kind, cursor);
	struct block_reading reading = {front, block};

	clang_visitChildren(cursor, block_visit, &reading);
	return block;
}

static struct node *read_variable(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_DECLARE, cursor);

	node->declaration = front_declaration(front, cursor);
	if (node->declaration->initializer)
		front_push(front, node, node->declaration->initializer);
	return node;
}

/* `case 1: s`, `case 1 ... 3: s`, `default: s`. */
static struct node *read_case(struct front *front, CXCursor cursor, bool has_value)
{
	struct node *node = front_node(front, NODE_CASE, cursor);
	CXCursor children[3];
	unsigned count = front_children(cursor, children, ARRAY_COUNT(children));

	front_push(front, node, has_value && count ? front_expression(front, children[0]) : NULL);
	front_push(front, node,
	           count > (has_value ? 1u : 0u) ? front_statement(front, children[count < 3 ? count - 1 : 2]) : NULL);
	if (has_value && count >= 3)
		front_push(front, node, front_expression(front, children[1]));
	return node;
}

/* Inline assembly: it reads its operands, then its outputs are set to something unknown. */
static struct node *read_assembly(struct front *front, CXCursor cursor)
{
	struct node *block = front_node(front, NODE_BLOCK, cursor),
		    *inputs = front_opaque(front, cursor, "inline assembly"), *set;
	unsigned outputs = clang_Cursor_getGCCAssemblyNumOutputs(cursor),
		 count = clang_Cursor_getGCCAssemblyNumInputs(cursor);
	CXString constraint;
	CXCursor operand;

	front_push(front, block, inputs);
	for (unsigned i = 0; i < count; i++)
		if (clang_Cursor_getGCCAssemblyInput(cursor, i, &constraint, &operand)) {
			clang_disposeString(constraint);
			front_push(front, inputs, front_expression(front, operand));
		}
	for (unsigned i = 0; i < outputs; i++)
		if (clang_Cursor_getGCCAssemblyOutput(cursor, i, &constraint, &operand)) {
			clang_disposeString(constraint);
			set = front_node(front, NODE_ASSIGN, operand);
			front_push(front, set, front_expression(front, operand));
			front_push(front, set, front_opaque(front, operand, "set by inline assembly"));
			set->type = set->children[0]->type;
			front_push(front, block, set);
		}
	return block;
}

/* ---- inherited constructors ----------------------------------------------------------------------------- */

/*
 * `using base::base;`: libclang shows such a constructor with an empty body and the base's name. It makes the base of
 * what it is given.
 */

/* Whether two names of classes are the same but for template arguments. */
static bool same_name(CXString a, CXString b)
{
	const char *one = clang_getCString(a), *other = clang_getCString(b);
	size_t length = one ? strcspn(one, "<") : 0;
	bool same = one && other && length == strcspn(other, "<") && strncmp(one, other, length) == 0;

	clang_disposeString(a);
	clang_disposeString(b);
	return same;
}

bool front_is_inherited(CXCursor constructor)
{
	return clang_getCursorKind(constructor) == CXCursor_Constructor &&
	       !same_name(clang_getCursorSpelling(constructor),
	                  clang_getCursorSpelling(clang_getCursorSemanticParent(constructor)));
}

struct constructor_search {
	CXCursor inherited, found; /* found: null where none is */
};

static bool same_parameters(CXCursor a, CXCursor b)
{
	int count = clang_Cursor_getNumArguments(a);

	if (count != clang_Cursor_getNumArguments(b))
		return false;
	for (int i = 0; i < count; i++)
		if (!clang_equalTypes(
			    clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(a, (unsigned)i))),
			    clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(b, (unsigned)i)))))
			return false;
	return true;
}

static enum CXChildVisitResult constructor_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct constructor_search *search = data;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_Constructor || !same_parameters(cursor, search->inherited))
		return CXChildVisit_Continue;
	search->found = cursor;
	return CXChildVisit_Break;
}

static enum CXVisitorResult inherited_base_visit(CXCursor cursor, CXClientData data)
{
	struct constructor_search *search = data;
	CXType base = clang_getCanonicalType(clang_getCursorType(cursor));
	CXCursor class = clang_getTypeDeclaration(base);

	if (same_name(clang_getCursorSpelling(search->inherited), clang_getCursorSpelling(class)))
		clang_visitChildren(class, constructor_visit, search);
	return clang_Cursor_isNull(search->found) ? CXVisit_Continue : CXVisit_Break;
}

static CXCursor base_constructor(CXCursor inherited)
{
	struct constructor_search search = {inherited, clang_getNullCursor()};

	clang_visitCXXBaseClasses(clang_getCursorType(clang_getCursorSemanticParent(inherited)), inherited_base_visit,
	                          &search);
	return search.found;
}

void front_inherited_parameters(struct front *front, struct source_function *function, CXCursor constructor)
{
	CXCursor base = base_constructor(constructor);
	int count = clang_Cursor_isNull(base) ? 0 : clang_Cursor_getNumArguments(base);

	function->parameters = NULL;
	function->parameter_count = 0;
	for (int i = 0; i < count; i++) {
		const struct source_declaration *own =
			front_declaration(front, clang_Cursor_getArgument(base, (unsigned)i));
		struct source_declaration *parameter =
			front_unnamed_variable(front, own->name, own->type, function->place);

		parameter->kind = DECLARATION_PARAMETER;
		parameter->initializer = own->initializer;
		ARENA_PUSH(front->arena, function->parameters, function->parameter_count, parameter);
	}
}

struct node *front_read_inherited(struct front *front, CXCursor constructor)
{
	struct node *block = front_node(front, NODE_BLOCK, constructor), *made, *set, *member;
	const struct source_function *function = front_declaration(front, constructor)->function;
	CXCursor base = base_constructor(constructor);
	CXType type;

	if (clang_Cursor_isNull(base))
		return block;
	type = clang_getCursorType(clang_getCursorSemanticParent(base));
	made = front_node(front, NODE_CONSTRUCT, constructor);
	made->type = front_type(front, type);
	made->declaration = front_declaration(front, base);
	front_read_defaults(front, type);
	for (unsigned i = 0; i < function->parameter_count; i++) {
		struct node *argument = front_node(front, NODE_REFERENCE, constructor);

		argument->declaration = function->parameters[i];
		argument->type = function->parameters[i]->type;
		front_push(front, made, argument);
	}
	member = front_read_base(front, constructor, constructor, type);
	set = member ? front_node(front, NODE_ASSIGN, constructor) : made;
	if (member) {
		set->type = made->type;
		front_push(front, set, member);
		front_push(front, set, made);
	}
	front_push(front, block, set);
	return block;
}

/* ---- constructors ------------------------------------------------------------------------------------- */

struct initializers {
	struct front *front;
	CXCursor constructor;
	struct node *block, *member; /* member: whose initialiser comes next */
};

static enum CXChildVisitResult initializer_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct initializers *initializers = data;
	struct front *front = initializers->front;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	struct node *set, *made;

	(void)parent;
	if (kind == CXCursor_MemberRef) {
		initializers->member = front_read_initialized(front, cursor);
	} else if (clang_isExpression(kind)) {
		made = front_expression(front, cursor);
		if (!initializers->member && made->kind == NODE_CONSTRUCT && made->type)
			initializers->member =
				front_read_base(front, initializers->constructor, cursor, clang_getCursorType(cursor));
		set = initializers->member ? front_node(front, NODE_ASSIGN, cursor) : made;
		if (initializers->member) {
			set->type = initializers->member->type;
			front_push(front, set, initializers->member);
			front_push(front, set, made);
		}
		front_push(front, initializers->block, set);
		initializers->member = NULL;
	} else if (clang_isStatement(kind)) {
		front_push(front, initializers->block, front_statement(front, cursor));
	}
	return CXChildVisit_Continue;
}

/* The initialisers of members as assignments, then the body. */
static struct node *read_constructor(struct front *front, CXCursor cursor)
{
	struct initializers initializers = {front, cursor, front_node(front, NODE_BLOCK, cursor), NULL};

	if (front_is_inherited(cursor))
		return front_read_inherited(front, cursor);
	clang_visitChildren(cursor, initializer_visit, &initializers);
	return initializers.block;
}

static struct node *statement_of_kind(struct front *front, CXCursor cursor)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CXXTryStmt:
		return read_block(front, cursor, NODE_TRY);
	case CXCursor_CompoundStmt:
	case CXCursor_CXXCatchStmt:
	case CXCursor_DeclStmt:
		return read_block(front, cursor, NODE_BLOCK);
	case CXCursor_Constructor:
		return read_constructor(front, cursor);
	case CXCursor_VarDecl:
		return read_variable(front, cursor);
	case CXCursor_IfStmt:
		return read_conditional(front, cursor, NODE_IF, "if", 4);
	case CXCursor_SwitchStmt:
		return read_conditional(front, cursor, NODE_SWITCH, "switch", 3);
	case CXCursor_WhileStmt:
		return read_conditional(front, cursor, NODE_WHILE, "while", 3);
	case CXCursor_ForStmt:
		return front_read_for(front, cursor);
	case CXCursor_CXXForRangeStmt:
		return front_read_range_for(front, cursor);
	case CXCursor_DoStmt:
		return front_read_do(front, cursor);
	case CXCursor_CaseStmt:
		return read_case(front, cursor, true);
	case CXCursor_DefaultStmt:
		return read_case(front, cursor, false);
	case CXCursor_ReturnStmt:
		return read_block(front, cursor, NODE_RETURN);
	case CXCursor_BreakStmt:
		return front_node(front, NODE_BREAK, cursor);
	case CXCursor_ContinueStmt:
		return front_node(front, NODE_CONTINUE, cursor);
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt:
		return front_node(front, NODE_GOTO, cursor);
	case CXCursor_LabelStmt:
		return read_block(front, cursor, NODE_LABEL);
	case CXCursor_NullStmt:
		return front_node(front, NODE_NOTHING, cursor);
	case CXCursor_UnexposedStmt:
		return front_read_attributed(front, cursor);
	case CXCursor_GCCAsmStmt:
		return read_assembly(front, cursor);
	default:
		return front_expression(front, cursor);
	}
}

struct node *front_statement(struct front *front, CXCursor cursor)
{
	CXSourceLocation end;
	struct node *node;

	if (front->depth >= FRONT_DEPTH_MAX)
		return front_opaque(front, cursor, "nested too deeply");
	front->depth++;
	node = statement_of_kind(front, cursor);
	front->depth--;
	if (node_is_loop(node)) {
		end = clang_getRangeEnd(clang_getCursorExtent(cursor));
		node->loop.last_line = front_place(front, end).line;
	}
	return node;
}
