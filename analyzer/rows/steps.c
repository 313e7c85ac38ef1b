/*
 * Indices and steps that count rows, counted in records: p[y][x] has one index, p[y * 512 + x], and p + y is p + y *
 * 512.
 */
#include "analyzer/rows/internal.h"

#include <string.h>

/* ---- pieces ------------------------------------------------------------------------------------- */

/* Whether an operator binds less than what is written around it: `*` (scaled), else `+`. Macros count as what they
 * spell. */
static bool needs_parentheses(const struct rows *rows, const struct node *node, struct range range, bool scaled)
{
	node = rows_written(node);
	if (rows->unit->text[range.begin] == '(' && rows_closing(rows, range.begin) + 1 == range.end)
		return false;
	switch (node->kind) {
	case NODE_REFERENCE:
	case NODE_MEMBER:
	case NODE_SUBSCRIPT:
	case NODE_CALL:
	case NODE_CAST:
		return false;
	case NODE_INTEGER:
		return node->value < 0;
	case NODE_BINARY:
		return node->op != OPERATOR_MUL && node->op != OPERATOR_DIV && node->op != OPERATOR_MOD &&
		       (scaled || (node->op != OPERATOR_ADD && node->op != OPERATOR_SUB));
	default:
		return true;
	}
}

/* The factor that makes a number of records of one of rows. wide: in 64 bits. */
static const char *factor_text(const struct rows *rows, uint64_t records, bool wide)
{
	return arena_printf(rows->arena, "%llu%s", (unsigned long long)records,
	                    wide || records > INT32_MAX ? "ll" : "");
}

/* Multiplies what stands at a range. */
static void scale(struct rows *rows, const struct node *count, struct range range, uint64_t records, bool wide)
{
	bool parentheses = needs_parentheses(rows, count, range, records > 1);

	if (parentheses)
		rows_insert(rows, range.begin, "(");
	rows_flatten_node(rows, count);
	if (parentheses)
		rows_insert(rows, range.end, ")");
	if (records > 1)
		rows_insert(rows, range.end, arena_printf(rows->arena, " * %s", factor_text(rows, records, wide)));
}

void rows_cut(struct rows *rows, unsigned begin, unsigned end)
{
	if (end > begin)
		rows_edit(rows, (struct range){begin, end}, "");
}

/* ---- indices ------------------------------------------------------------------------------------ */

#define DIMENSIONS_MAX 8
/* p[z][y][x]: the nodes of its indices, p's first, and their brackets. */
struct chain {
	const struct node *base, *links[DIMENSIONS_MAX];
	unsigned open[DIMENSIONS_MAX], close[DIMENSIONS_MAX];
	unsigned count;
};

static bool brackets_find(struct rows *rows, struct chain *chain, unsigned link)
{
	const struct node *node = chain->links[link];
	const char *text = rows->unit->text;
	unsigned at = rows_skip(rows, node->children[0]->range.end);

	while (text[at] == ')')
		at = rows_skip(rows, at + 1);
	chain->open[link] = at;
	chain->close[link] = node->range.end - 1;
	return (node->range.end > at && text[at] == '[' && rows_closing(rows, at) == chain->close[link]) ||
	       rows_refuse(rows, node->place, ROWS_MACRO_REASON);
}

static bool chain_read(struct rows *rows, const struct node *node, struct chain *chain)
{
	const struct node *links[DIMENSIONS_MAX];
	unsigned count = 0;

	for (; node->kind == NODE_SUBSCRIPT && count < DIMENSIONS_MAX; node = rows_written(node->children[0]))
		links[count++] = node;
	*chain = (struct chain){.base = node, .count = count};
	for (unsigned l = 0; l < count; l++)
		chain->links[l] = links[count - 1 - l];
	for (unsigned l = 0; l < count; l++)
		if (!brackets_find(rows, chain, l))
			return false;
	return true;
}

/* Whether the sum of the indices could wrap around where they do not: signed and unsigned ones of 32 bits. */
static bool is_mixed(const struct chain *chain)
{
	bool has[2] = {false, false};

	for (unsigned l = 0; l < chain->count; l++) {
		const struct node *index = rows_written(chain->links[l]->children[1]);
		const struct source_type *type = index->type;

		if (!(index->kind == NODE_INTEGER && index->value >= 0) && type_is_integral(type) && type->bits <= 32)
			has[type->bits < 32 || type->is_signed] = true;
	}
	return has[0] && has[1];
}

/* What the indices are taken of: p of p[z][y][x]. */
const struct node *rows_subscript_base(const struct node *node)
{
	while (node->kind == NODE_SUBSCRIPT)
		node = rows_written(node->children[0]);
	return node;
}

/* The index between the brackets of a link, without the blanks around it. */
static struct range index_range(const struct rows *rows, const struct chain *chain, unsigned link)
{
	struct range range = {rows_skip(rows, chain->open[link] + 1), chain->close[link]};

	while (range.end > range.begin && strchr(" \t\r\n", rows->unit->text[range.end - 1]))
		range.end--;
	return range;
}

/* p[y][x]: one index, `p[y * 512 + x]`; a row, p[y]: `(p + y * 512)`. */
void rows_flatten_subscript(struct rows *rows, const struct node *node)
{
	bool is_row = node->type->shape == SHAPE_ARRAY, wide;
	struct chain chain;

	if (!chain_read(rows, node, &chain))
		return;
	wide = !is_row && is_mixed(&chain);
	if (is_row)
		rows_insert(rows, node->range.begin, "(");
	rows_flatten_node(rows, chain.base);
	for (unsigned l = 0; l < chain.count; l++) {
		if (l > 0)
			rows_edit(rows, (struct range){chain.close[l - 1], chain.open[l] + 1}, " + ");
		else if (is_row)
			rows_edit(rows, (struct range){chain.open[l], chain.open[l] + 1}, " + ");
		if (chain.count == 1 && !is_row)
			rows_flatten_node(rows, chain.links[l]->children[1]);
		else
			scale(rows, chain.links[l]->children[1], index_range(rows, &chain, l),
			      rows_count(chain.links[l]->type), wide);
	}
	if (is_row)
		rows_edit(rows, (struct range){chain.close[chain.count - 1], chain.close[chain.count - 1] + 1}, ")");
}

/* ---- operators ---------------------------------------------------------------------------------- */

/* *p and &p[y], of which the operand is left. */
static void flatten_place(struct rows *rows, const struct node *node)
{
	rows_cut(rows, node->range.begin, node->range.begin + 1);
	rows_flatten_node(rows, node->children[0]);
}

/* p++: `p += 512`, or where its value is used `((p += 512) - 512)`. */
static void flatten_step(struct rows *rows, const struct node *node)
{
	bool before = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_DECREMENT_BEFORE;
	bool up = node->op == OPERATOR_INCREMENT_BEFORE || node->op == OPERATOR_INCREMENT_AFTER;
	bool is_used = rows->discarded != node;
	const char *factor = factor_text(rows, rows_count(rows_stepped(node)), false);

	rows_insert(rows, node->range.begin, !is_used ? "" : before ? "(" : "((");
	if (before)
		rows_cut(rows, node->range.begin, node->range.begin + 2);
	rows_flatten_node(rows, node->children[0]);
	if (!before)
		rows_cut(rows, node->range.end - 2, node->range.end);
	rows_insert(rows, node->range.end,
	            arena_printf(rows->arena, " %s= %s%s", up ? "+" : "-", factor, is_used ? ")" : ""));
	if (is_used && !before)
		rows_insert(rows, node->range.end, arena_printf(rows->arena, " %s %s)", up ? "-" : "+", factor));
}

void rows_flatten_unary(struct rows *rows, const struct node *node)
{
	bool is_after = node->op == OPERATOR_INCREMENT_AFTER || node->op == OPERATOR_DECREMENT_AFTER;
	bool is_place = node->op == OPERATOR_ADDRESS || node->op == OPERATOR_DEREFERENCE;
	char sign = rows->unit->text[is_after && node->range.end ? node->range.end - 1 : node->range.begin];

	if (node->range.end == 0 || !strchr(is_place ? "*&" : "+-", sign))
		rows_refuse(rows, node->place, ROWS_MACRO_REASON);
	else if (is_place)
		flatten_place(rows, node);
	else
		flatten_step(rows, node);
}

/* p + y, y + p, p - y and `p += y`. */
void rows_flatten_sum(struct rows *rows, const struct node *node)
{
	unsigned pointer = rows_becomes_flat(rows, node->children[0]) ? 0 : 1;
	bool is_apart =
		node->children[0]->range.end > 0 && node->children[0]->range.end <= node->children[1]->range.begin;

	if (!is_apart)
		rows_refuse(rows, node->place, ROWS_MACRO_REASON);
	for (unsigned side = 0; is_apart && side < 2; side++)
		if (side == pointer)
			rows_flatten_node(rows, node->children[side]);
		else
			scale(rows, node->children[side], node->children[side]->range, rows_count(rows_stepped(node)),
			      false);
}

/* q - p: `(q - p) / 512`. */
void rows_flatten_difference(struct rows *rows, const struct node *node)
{
	uint64_t records = rows_count(rows_stepped(node->children[0]));

	rows_insert(rows, node->range.begin, "((");
	rows_flatten_node(rows, node->children[0]);
	rows_flatten_node(rows, node->children[1]);
	rows_insert(rows, node->range.end, arena_printf(rows->arena, ") / %s)", factor_text(rows, records, false)));
}
