/*
 * Statements: from libclang's cursors to nodes.
 *
 * libclang lists the children of `for`, `if` and `switch` without saying which parts are missing. Where the statement
 * is plain text of the file, the semicolons and the parenthesis of its head tell; inside macros the kinds of the
 * children do.
 */
#include "analyzer/clang_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_MAX 5

/* The children of a statement with a head, and where the head's text lies. */
struct head {
	CXCursor children[HEAD_MAX];
	unsigned count;
	bool has_text;        /* the rest is known */
	unsigned open, close; /* offsets of its parentheses */
	unsigned semicolons[2], semicolon_count;
};

/*
 * Moves over a string or character literal or comment that begins at `at`; returns the offset behind it, or `at` where
 * there is none.
 */
static unsigned skip_literal(const char *text, unsigned at, unsigned end)
{
	char first = text[at];

	if (first == '"' || first == '\'') {
		for (at++; at < end && text[at] != first && text[at] != '\n'; at++)
			if (text[at] == '\\')
				at++;
		return at + 1;
	}
	if (first == '/' && at + 1 < end && text[at + 1] == '/') {
		while (at < end && text[at] != '\n')
			at++;
	} else if (first == '/' && at + 1 < end && text[at + 1] == '*') {
		for (at += 2; at + 1 < end && !(text[at] == '*' && text[at + 1] == '/'); at++)
			;
		at += 2;
	}
	return at;
}

/* Finds the parentheses and semicolons of the head that follows the keyword at range.begin. */
static void head_scan(struct front *front, struct head *head, struct range range)
{
	const char *text = front->unit->text;
	unsigned depth = 0;

	for (unsigned at = range.begin; at < range.end; at++) {
		unsigned behind = skip_literal(text, at, range.end);

		if (behind != at) {
			at = behind - 1;
			continue;
		}
		if (text[at] == '(' || text[at] == '{' || text[at] == '[') {
			if (depth++ == 0)
				head->open = at;
		} else if ((text[at] == ')' || text[at] == '}' || text[at] == ']') && depth > 0) {
			if (--depth > 0)
				continue;
			head->close = at;
			head->has_text = text[head->open] == '(';
			return;
		} else if (text[at] == ';' && depth == 1 && head->semicolon_count < 2) {
			head->semicolons[head->semicolon_count++] = at;
		}
	}
}

static bool text_begins(struct front *front, struct range range, const char *keyword)
{
	size_t length = strlen(keyword);

	return range.end - range.begin > length && strncmp(front->unit->text + range.begin, keyword, length) == 0;
}

static struct head head_read(struct front *front, CXCursor cursor, struct range range, const char *keyword)
{
	struct head head = {.count = front_children(cursor, head.children, HEAD_MAX)};

	if (head.count > HEAD_MAX)
		head.count = HEAD_MAX;
	if (text_begins(front, range, keyword))
		head_scan(front, &head, range);
	return head;
}

static unsigned cursor_begin(struct front *front, CXCursor cursor)
{
	return front_range(front, clang_getCursorExtent(cursor), NULL).begin;
}

/* A statement or expression or variable. */
static struct node *read_part(struct front *front, CXCursor cursor)
{
	return front_statement(front, cursor);
}

/* ---- if, switch, while ------------------------------------------------------------------ */

/* How many of the children stand before the condition: a declaration, or an expression that a semicolon ends. */
static unsigned parts_before_condition(struct front *front, const struct head *head)
{
	unsigned position = 0;

	while (position + 1 < head->count) {
		enum CXCursorKind kind = clang_getCursorKind(head->children[position]);
		bool is_before = kind == CXCursor_DeclStmt || kind == CXCursor_VarDecl;

		if (head->has_text && head->semicolon_count)
			is_before = is_before || cursor_begin(front, head->children[position]) < head->semicolons[0];
		if (!is_before)
			break;
		position++;
	}
	return position;
}

/* The parts before the condition as one node, or NULL. */
static struct node *read_before(struct front *front, CXCursor cursor, const struct head *head, unsigned count)
{
	struct node *block;

	if (count == 0)
		return NULL;
	if (count == 1)
		return read_part(front, head->children[0]);
	block = front_node(front, NODE_BLOCK, cursor);
	for (unsigned i = 0; i < count; i++)
		front_push(front, block, read_part(front, head->children[i]));
	return block;
}

/* [init, condition, then, else], or for other kinds as many parts as `parts` says. */
static struct node *read_conditional(struct front *front, CXCursor cursor, enum node_kind kind, const char *keyword,
                                     unsigned parts)
{
	struct node *node = front_node(front, kind, cursor);
	struct head head = head_read(front, cursor, node->range, keyword);
	unsigned before = parts_before_condition(front, &head);

	front_push(front, node, read_before(front, cursor, &head, before));
	for (unsigned i = 0; i + 1 < parts; i++)
		front_push(front, node, before + i < head.count ? read_part(front, head.children[before + i]) : NULL);
	return node;
}

/* ---- for ------------------------------------------------------------------------------------ */

enum for_part { FOR_INIT, FOR_CONDITION, FOR_INCREMENT, FOR_BODY, FOR_PARTS };

static enum for_part for_part_by_text(struct front *front, const struct head *head, CXCursor child)
{
	unsigned begin = cursor_begin(front, child);

	if (begin > head->close)
		return FOR_BODY;
	if (begin > head->semicolons[1])
		return FOR_INCREMENT;
	return begin > head->semicolons[0] ? FOR_CONDITION : FOR_INIT;
}

static bool is_step(CXCursor cursor)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	return kind == CXCursor_UnaryOperator || kind == CXCursor_CompoundAssignOperator ||
	       (kind == CXCursor_BinaryOperator &&
	        clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign);
}

/* Which part the child at a position is, by its kind and what is still to come. */
static enum for_part for_part_by_kind(const struct head *head, unsigned position, enum for_part least)
{
	CXCursor child = head->children[position];

	if (position + 1 == head->count)
		return FOR_BODY;
	if (head->count == FOR_PARTS)
		return (enum for_part)position;
	if (clang_getCursorKind(child) == CXCursor_DeclStmt)
		return FOR_INIT;
	if (is_step(child))
		return position == 0 && least == FOR_INIT && head->count == 3 && !is_step(head->children[1])
		               ? FOR_INIT
		               : FOR_INCREMENT;
	return FOR_CONDITION;
}

static struct node *read_for(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_FOR, cursor);
	struct head head = head_read(front, cursor, node->range, "for");
	enum for_part least = FOR_INIT;

	for (unsigned part = 0; part < FOR_PARTS; part++)
		front_push(front, node, NULL);
	for (unsigned i = 0; i < head.count; i++) {
		enum for_part part = head.has_text && head.semicolon_count == 2
		                             ? for_part_by_text(front, &head, head.children[i])
		                             : for_part_by_kind(&head, i, least);

		least = part;
		if (!node->children[part])
			node->children[part] = read_part(front, head.children[i]);
	}
	return node;
}

/* ---- other loops ------------------------------------------------------------------------------ */

/* for (x : range): a loop of unknown length over an unknown variable. */
static struct node *read_range_for(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_FOR, cursor);
	struct head head = head_read(front, cursor, node->range, "for");

	front_push(front, node, NULL);
	front_push(front, node, front_opaque(front, cursor, "a loop over a range"));
	front_push(front, node, NULL);
	front_push(front, node, head.count ? read_part(front, head.children[head.count - 1]) : NULL);
	return node;
}

static struct node *read_do(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_DO, cursor);
	CXCursor children[2];
	unsigned count = front_children(cursor, children, ARRAY_COUNT(children));

	for (unsigned i = 0; i < ARRAY_COUNT(children); i++)
		front_push(front, node, i < count ? read_part(front, children[i]) : NULL);
	return node;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The number that a name at an offset stands for, where the file says `#define NAME 4` or `NAME = 4`; UINT_MAX otherwise. */
static unsigned named_factor(struct front *front, unsigned begin, unsigned end)
{
	const char *text = front->unit->text, *found = text;
	unsigned length = 0;

	while (begin + length < end && is_name(text[begin + length]))
		length++;
	while ((found = memmem(found, front->unit->text_length - (size_t)(found - text), text + begin, length)) != NULL) {
		const char *behind = found + length;
		bool is_whole = found > text && !is_name(found[-1]) && strchr(" \t=", *behind);

		behind += strspn(behind, " \t=");
		if (is_whole && *behind > '0' && *behind <= '9')
			return (unsigned)strtoul(behind, NULL, 0);
		found++;
	}
	return UINT_MAX;
}

/* The factor of the `#pragma unroll` whose text begins at an offset and ends at another; 0 for other pragmas. */
static unsigned unroll_factor(struct front *front, unsigned begin, unsigned end)
{
	const char *text = front->unit->text;
	static const char *const words[] = {"pragma", "unroll"};

	for (unsigned i = 0; i < ARRAY_COUNT(words); i++) {
		while (begin < end && strchr(" \t#", text[begin]))
			begin++;
		if (end - begin < strlen(words[i]) || strncmp(text + begin, words[i], strlen(words[i])) != 0)
			return 0;
		begin += (unsigned)strlen(words[i]);
	}
	while (begin < end && strchr(" \t(", text[begin]))
		begin++;
	if (begin < end && text[begin] >= '0' && text[begin] <= '9')
		return (unsigned)strtoul(text + begin, NULL, 0);
	return begin < end && is_name(text[begin]) ? named_factor(front, begin, end) : UINT_MAX;
}

static bool is_loop(const struct node *node)
{
	return node->kind == NODE_FOR || node->kind == NODE_WHILE || node->kind == NODE_DO;
}

static void set_unroll(struct front *front, struct node *loop, unsigned pragma)
{
	if (is_loop(loop))
		loop->loop.unroll = unroll_factor(front, pragma, loop->range.begin);
}

/* A statement with an attribute in front of it; a pragma is one. */
static struct node *read_attributed(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_BLOCK, cursor), *inner;
	CXCursor child;

	if (front_children(cursor, &child, 1) == 0)
		return node;
	inner = front_statement(front, child);
	if (node->range.begin < inner->range.begin)
		set_unroll(front, inner, node->range.begin);
	return inner;
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

static struct node *read_case(struct front *front, CXCursor cursor, bool has_value)
{
	struct node *node = front_node(front, NODE_CASE, cursor);
	CXCursor children[3];
	unsigned count = front_children(cursor, children, ARRAY_COUNT(children));

	front_push(front, node, has_value && count ? front_expression(front, children[0]) : NULL);
	front_push(front, node,
	           count > (has_value ? 1u : 0u) ? front_statement(front, children[count < 3 ? count - 1 : 2]) : NULL);
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

/* ---- constructors ------------------------------------------------------------------------------------- */

struct initializers {
	struct front *front;
	struct node *block, *member; /* member: whose initialiser comes next */
};

static enum CXChildVisitResult initializer_visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct initializers *initializers = data;
	struct front *front = initializers->front;
	enum CXCursorKind kind = clang_getCursorKind(cursor);
	struct node *set;

	(void)parent;
	if (kind == CXCursor_MemberRef) {
		initializers->member = front_read_initialized(front, cursor);
	} else if (clang_isExpression(kind)) {
		set = initializers->member ? front_node(front, NODE_ASSIGN, cursor) : front_expression(front, cursor);
		if (initializers->member) {
			set->type = initializers->member->type;
			front_push(front, set, initializers->member);
			front_push(front, set, front_expression(front, cursor));
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
	struct initializers initializers = {front, front_node(front, NODE_BLOCK, cursor), NULL};

	clang_visitChildren(cursor, initializer_visit, &initializers);
	return initializers.block;
}

static struct node *statement_of_kind(struct front *front, CXCursor cursor)
{
	switch (clang_getCursorKind(cursor)) {
	case CXCursor_CompoundStmt:
	case CXCursor_CXXTryStmt:
	case CXCursor_CXXCatchStmt:
	case CXCursor_DeclStmt: return read_block(front, cursor, NODE_BLOCK);
	case CXCursor_Constructor: return read_constructor(front, cursor);
	case CXCursor_VarDecl: return read_variable(front, cursor);
	case CXCursor_IfStmt: return read_conditional(front, cursor, NODE_IF, "if", 4);
	case CXCursor_SwitchStmt: return read_conditional(front, cursor, NODE_SWITCH, "switch", 3);
	case CXCursor_WhileStmt: return read_conditional(front, cursor, NODE_WHILE, "while", 3);
	case CXCursor_ForStmt: return read_for(front, cursor);
	case CXCursor_CXXForRangeStmt: return read_range_for(front, cursor);
	case CXCursor_DoStmt: return read_do(front, cursor);
	case CXCursor_CaseStmt: return read_case(front, cursor, true);
	case CXCursor_DefaultStmt: return read_case(front, cursor, false);
	case CXCursor_ReturnStmt: return read_block(front, cursor, NODE_RETURN);
	case CXCursor_BreakStmt: return front_node(front, NODE_BREAK, cursor);
	case CXCursor_ContinueStmt: return front_node(front, NODE_CONTINUE, cursor);
	case CXCursor_GotoStmt:
	case CXCursor_IndirectGotoStmt: return front_node(front, NODE_GOTO, cursor);
	case CXCursor_LabelStmt: return read_block(front, cursor, NODE_LABEL);
	case CXCursor_NullStmt: return front_node(front, NODE_NOTHING, cursor);
	case CXCursor_UnexposedStmt: return read_attributed(front, cursor);
	case CXCursor_GCCAsmStmt: return read_assembly(front, cursor);
	default: return front_expression(front, cursor);
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
	if (is_loop(node)) {
		end = clang_getRangeEnd(clang_getCursorExtent(cursor));
		node->loop.last_line = front_place(front, end).line;
	}
	return node;
}
