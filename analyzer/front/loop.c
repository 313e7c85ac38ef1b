/*
 * Statements with a head, and loops: from libclang's cursors to nodes.
 *
 * libclang lists the children of `for`, `if` and `switch` without saying which parts are missing. Where the statement
 * is plain text of the file, the semicolons and the parenthesis of its head tell; inside macros the kinds of the
 * children do.
 */
#include "analyzer/front/clang.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- heads ----------------------------------------------------------------------------------- */

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
static void head_scan(struct front *front, struct front_head *head, struct range range)
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

struct front_head front_head_read(struct front *front, CXCursor cursor, struct range range, const char *keyword)
{
	struct front_head head = {.count = front_children(cursor, head.children, HEAD_MAX)};

	if (head.count > HEAD_MAX)
		head.count = HEAD_MAX;
	if (text_begins(front, range, keyword))
		head_scan(front, &head, range);
	return head;
}

unsigned front_cursor_begin(struct front *front, CXCursor cursor)
{
	return front_range(front, clang_getCursorExtent(cursor), NULL).begin;
}

/* ---- for ------------------------------------------------------------------------------------ */

enum for_part { FOR_INIT, FOR_CONDITION, FOR_INCREMENT, FOR_BODY, FOR_PARTS };

static enum for_part for_part_by_text(struct front *front, const struct front_head *head, CXCursor child)
{
	unsigned begin = front_cursor_begin(front, child);

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
static enum for_part for_part_by_kind(const struct front_head *head, unsigned position, enum for_part least)
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

struct node *front_read_for(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_FOR, cursor);
	struct front_head head = front_head_read(front, cursor, node->range, "for");
	enum for_part least = FOR_INIT;

	for (unsigned part = 0; part < FOR_PARTS; part++)
		front_push(front, node, NULL);
	for (unsigned i = 0; i < head.count; i++) {
		enum for_part part = head.has_text && head.semicolon_count == 2
		                             ? for_part_by_text(front, &head, head.children[i])
		                             : for_part_by_kind(&head, i, least);

		least = part;
		if (part == FOR_CONDITION && clang_getCursorKind(head.children[i]) == CXCursor_VarDecl)
			node->children[part] = front_opaque(front, cursor, "a condition that declares a variable");
		if (!node->children[part])
			node->children[part] = front_statement(front, head.children[i]);
	}
	return node;
}

/* ---- other loops ------------------------------------------------------------------------------ */

/* The variable of a loop over a range: it is set to something unknown. */
static struct node *read_range_variable(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_DECLARE, cursor),
		    *value = front_opaque(front, cursor, "an element of a range");

	node->declaration = front_declaration(front, cursor);
	value->type = type_strip_reference(node->declaration->type);
	front_push(front, node, value);
	return node;
}

/* What a loop goes through: the only one of the head's children that is no declaration; NULL where libclang shows none.
 */
static struct node *read_range(struct front *front, const struct front_head *head)
{
	for (unsigned i = 0; i + 1 < head->count; i++)
		if (clang_getCursorKind(head->children[i]) != CXCursor_VarDecl)
			return front_expression(front, head->children[i]);
	return NULL;
}

struct node *front_read_range_for(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_FOR, cursor), *body = front_node(front, NODE_BLOCK, cursor);
	struct front_head head = front_head_read(front, cursor, node->range, "for");

	for (unsigned i = 0; i + 1 < head.count; i++)
		if (clang_getCursorKind(head.children[i]) == CXCursor_VarDecl)
			front_push(front, body, read_range_variable(front, head.children[i]));
	if (head.count)
		front_push(front, body, front_statement(front, head.children[head.count - 1]));
	front_push(front, node, NULL);
	front_push(front, node, front_opaque(front, cursor, "a loop over a range, whose own reads are left out"));
	front_push(front, node, NULL);
	front_push(front, node, body);
	front_push(front, node, read_range(front, &head));
	return node;
}

struct node *front_read_do(struct front *front, CXCursor cursor)
{
	struct node *node = front_node(front, NODE_DO, cursor);
	CXCursor children[2];
	unsigned count = front_children(cursor, children, ARRAY_COUNT(children));

	for (unsigned i = 0; i < ARRAY_COUNT(children); i++)
		front_push(front, node, i < count ? front_statement(front, children[i]) : NULL);
	return node;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The number that a name at an offset stands for, where the file says `#define NAME 4` or `NAME = 4`; UINT_MAX
 * otherwise. */
static unsigned named_factor(struct front *front, unsigned begin, unsigned end)
{
	const char *text = front->unit->text, *found = text;
	unsigned length = 0;

	while (begin + length < end && is_name(text[begin + length]))
		length++;
	while ((found = memmem(found, front->unit->text_length - (size_t)(found - text), text + begin, length)) !=
	       NULL) {
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

static void set_unroll(struct front *front, struct node *loop, unsigned pragma)
{
	if (node_is_loop(loop))
		loop->loop.unroll = unroll_factor(front, pragma, loop->range.begin);
}

struct node *front_read_attributed(struct front *front, CXCursor cursor)
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
