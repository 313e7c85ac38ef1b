/*
 * Small questions: what a row is, and which pointers and references to rows become pointers to records.
 */
#include "analyzer/rows/internal.h"

/* ---- types -------------------------------------------------------------------------------------- */

uint64_t rows_count(const struct source_type *type)
{
	uint64_t count = 1;

	for (; type->shape == SHAPE_ARRAY; type = type->target)
		count *= type->count;
	return count;
}

const struct source_type *rows_record(const struct source_type *type)
{
	while (type->shape == SHAPE_ARRAY)
		type = type->target;
	return type;
}

const struct source_type *rows_pointee(const struct source_type *type)
{
	const struct source_type *row =
		type && (type->shape == SHAPE_POINTER || type->shape == SHAPE_REFERENCE) ? type->target : NULL;

	return row && row->shape == SHAPE_ARRAY && rows_count(row) > 0 && rows_record(row)->type.record ? row : NULL;
}

/* ---- what is flat ------------------------------------------------------------------------------- */

bool rows_is_flat(const struct rows *rows, const struct source_declaration *declaration)
{
	for (unsigned i = 0; i < rows->flat_count; i++)
		if (rows->flat[i] == declaration)
			return true;
	return false;
}

/* The expression below the casts that nobody wrote. */
const struct node *rows_written(const struct node *node)
{
	while (node && node->kind == NODE_CAST && !node->is_explicit)
		node = node->children[0];
	return node;
}

/* Whether a value is a row or a pointer to rows. */
bool rows_are(const struct source_type *type)
{
	return type && (rows_pointee(type) || (type->shape == SHAPE_ARRAY && rows_record(type)->type.record));
}

/* The row that a computed pointer points to; of one made of a parameter `p[][8]` libclang shows that type. NULL: none.
 */
const struct source_type *rows_stepped(const struct node *node)
{
	const struct source_type *type = rows_written(node)->type;

	if (type->shape == SHAPE_ARRAY && type->count == 0)
		return type->target->shape == SHAPE_ARRAY ? type->target : NULL;
	return rows_pointee(type);
}

bool rows_becomes_flat(const struct rows *rows, const struct node *node)
{
	node = rows_written(node);
	if (!node || !rows_are(node->type))
		return false;
	switch (node->kind) {
	case NODE_REFERENCE:
	case NODE_MEMBER:
		return rows_is_flat(rows, node->declaration);
	case NODE_SUBSCRIPT:
	case NODE_UNARY:
	case NODE_CAST:
	case NODE_ASSIGN:
		return rows_becomes_flat(rows, node->children[0]);
	case NODE_BINARY:
		return (node->op != OPERATOR_COMMA && rows_becomes_flat(rows, node->children[0])) ||
		       rows_becomes_flat(rows, node->children[1]);
	case NODE_CONDITIONAL:
		return rows_becomes_flat(rows, node->children[1]) || rows_becomes_flat(rows, node->children[2]);
	default:
		return false;
	}
}

struct rows_search {
	const struct rows *rows;
	bool found;
};

static bool search_visit(void *context, const struct node *node)
{
	struct rows_search *search = context;

	if (node->kind == NODE_REFERENCE || node->kind == NODE_MEMBER)
		search->found = search->found || rows_is_flat(search->rows, node->declaration);
	return !search->found;
}

bool rows_mentions(const struct rows *rows, const struct node *node)
{
	struct rows_search search = {rows, false};

	node_visit(node, search_visit, &search);
	return search.found;
}

bool rows_refuse(struct rows *rows, struct place place, const char *reason)
{
	if (!rows->problem) {
		rows->problem = reason;
		rows->place = place;
	}
	return false;
}
