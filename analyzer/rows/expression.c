/*
 * What is done with pointers to rows, said of pointers to the records: a row is the pointer to its first record.
 *
 * rows_becomes_flat() asks of an expression: does its value, a row or a pointer to rows, become a pointer to records?
 * Then rows_flatten_node() adds the edits. flatten_to() does it where something that is flat takes the value: what is
 * no pointer to records yet is cast to one.
 */
#include "analyzer/rows/internal.h"

#include <string.h>

static void flatten_to(struct rows *rows, const struct node *node);

/* ---- operators ---------------------------------------------------------------------------------- */

static void flatten_binary(struct rows *rows, const struct node *node)
{
	bool flat[] = {rows_becomes_flat(rows, node->children[0]), rows_becomes_flat(rows, node->children[1])};
	bool points[] = {rows_stepped(node->children[0]), rows_stepped(node->children[1])};

	if (flat[0] && flat[1] && points[0] && points[1] && node->op == OPERATOR_SUB)
		rows_flatten_difference(rows, node);
	else if ((node->op == OPERATOR_ADD || node->op == OPERATOR_SUB) && rows_stepped(node) &&
	         rows_becomes_flat(rows, node))
		rows_flatten_sum(rows, node);
	else if (node->op != OPERATOR_COMMA && points[0] && points[1] && (flat[0] || flat[1]))
		for (unsigned side = 0; side < 2; side++)
			flatten_to(rows, node->children[side]);
	else
		rows_flatten_children(rows, node);
}

static void flatten_assignment(struct rows *rows, const struct node *node)
{
	if (!rows_becomes_flat(rows, node->children[0])) {
		rows_flatten_node(rows, node->children[0]);
		rows_flatten_node(rows, node->children[1]);
	} else if (node->op == OPERATOR_NONE) {
		rows_flatten_node(rows, node->children[0]);
		flatten_to(rows, node->children[1]);
	} else {
		rows_flatten_sum(rows, node);
	}
}

/* ---- casts -------------------------------------------------------------------------------------- */

/* The offset behind what is written of a cast before its operand: `(row *)`, `static_cast<row *>`; 0 where it is no
 * such text. */
static unsigned cast_end(const struct rows *rows, const struct node *node)
{
	const char *text = rows->unit->text;
	unsigned at = node->range.begin, end;

	if (text[at] == '(')
		end = rows_closing(rows, at) + 1;
	else
		for (end = at + rows_word(rows, at); end > at && end < node->range.end && text[end - 1] != '>';)
			end++;
	return end <= node->children[0]->range.begin ? rows_skip(rows, end) : 0;
}

/* A cast to pointers to rows goes, where its operand is a pointer to records then, or becomes one to pointers to
 * records. */
static void flatten_cast(struct rows *rows, const struct node *node)
{
	const struct node *operand = rows_written(node->children[0]);
	const struct source_type *record = rows_record(rows_pointee(node->type)),
				 *target = operand->type->shape == SHAPE_POINTER ? operand->type->target : NULL;
	unsigned end = cast_end(rows, node);
	bool is_named = end > 0 && rows->unit->text[node->range.begin] != '(';

	if (end == 0) {
		rows_refuse(rows, node->place, ROWS_MACRO_REASON);
		return;
	}
	if (operand->kind == NODE_REFERENCE &&
	    (rows_becomes_flat(rows, operand) || (target && target->type.record == record->type.record))) {
		rows_cut(rows, node->range.begin, operand->range.begin);
		rows_cut(rows, operand->range.end, node->range.end);
		return;
	}
	if (rows_becomes_flat(rows, operand) || (target && target->type.record == record->type.record))
		rows_cut(rows, node->range.begin, end);
	else
		rows_edit(rows, (struct range){node->range.begin, end},
		          arena_printf(rows->arena, is_named ? "(%s%s *)" : "(%s%s *)",
		                       record->is_const ? "const " : "", record->type.spelling));
	rows_flatten_node(rows, node->children[0]);
}

/* Casts a row, or a pointer to rows, that stays what it is. */
static void cast_around(struct rows *rows, const struct node *node)
{
	const struct source_type *row = rows_pointee(node->type) ? rows_pointee(node->type) : node->type;
	bool is_name = node->kind == NODE_REFERENCE && rows_text_is(rows, node->range, node->declaration->name);

	rows_insert(rows, node->range.begin,
	            arena_printf(rows->arena, "(%s%s *)%s", row->is_const ? "const " : "",
	                         rows_record(row)->type.spelling, is_name ? "" : "("));
	rows_flatten_node(rows, node);
	rows_insert(rows, node->range.end, is_name ? "" : ")");
}

static void flatten_to(struct rows *rows, const struct node *node)
{
	node = rows_written(node);
	if (node->kind == NODE_CONDITIONAL) {
		rows_flatten_node(rows, node->children[0]);
		flatten_to(rows, node->children[1]);
		flatten_to(rows, node->children[2]);
	} else if (node->kind == NODE_CAST && rows_pointee(node->type)) {
		flatten_cast(rows, node);
	} else if (rows_are(node->type) && !rows_becomes_flat(rows, node)) {
		cast_around(rows, node);
	} else {
		rows_flatten_node(rows, node);
	}
}

/* ---- calls, sizes, statements ------------------------------------------------------------------- */

/* Whether a value, as something that does not know it takes it, is a row or a pointer to rows. */
static bool escapes(const struct rows *rows, const struct node *node)
{
	return node && rows_are(node->type) && rows_becomes_flat(rows, node);
}

static void flatten_call(struct rows *rows, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;
	bool is_system = node->declaration && node->declaration->in_system_header, measures = rows->measures;

	rows->measures = rows_mentions(rows, node);
	if (node->kind != NODE_CONSTRUCT && node->children[0])
		rows_flatten_node(rows, node->children[0]);
	for (unsigned i = 0; i < node_argument_count(node); i++) {
		const struct node *argument = node_argument(node, i);

		if (!argument)
			continue;
		if (function && i < function->parameter_count && rows_is_flat(rows, function->parameters[i]))
			flatten_to(rows, argument);
		else if (escapes(rows, argument) && !is_system)
			rows_refuse(rows, argument->place,
			            arena_printf(rows->arena, "one is passed to '%s', which takes it otherwise",
			                         node->declaration ? node->declaration->name : "a function"));
		else
			rows_flatten_node(rows, argument);
	}
	rows->measures = measures;
}

/* Writes the bytes of rows as those of their records. */
static void size_edit(struct rows *rows, const struct node *node, const struct source_type *record, uint64_t records)
{
	const char *text = rows->unit->text, *name = record->type.spelling, *bytes;
	unsigned before = node->range.begin;

	while (before > 0 && strchr(" \t\r\n", text[before - 1]))
		before--;
	if (before > 0 && text[before - 1] == '*')
		bytes = arena_printf(rows->arena, "(size_t)%llu * sizeof(%s)", (unsigned long long)records, name);
	else
		bytes = arena_printf(rows->arena,
		                     before > 0 && strchr("(,=+", text[before - 1]) ? "sizeof(%s) * %llu"
		                                                                    : "(sizeof(%s) * %llu)",
		                     name, (unsigned long long)records);
	rows_edit(rows, node->range, bytes);
}

/* The row whose type's name stands in a sizeof; NULL where it is none. */
static const struct source_type *named_row(const struct rows *rows, const struct node *node)
{
	unsigned open = rows_skip(rows, node->range.begin + rows_word(rows, node->range.begin));
	unsigned begin = rows_skip(rows, open + 1), end = begin + rows_word(rows, begin);

	if (node->range.end <= open || rows->unit->text[open] != '(' || rows->unit->text[rows_skip(rows, end)] != ')')
		return NULL;
	for (unsigned t = 0; t < rows->type_count; t++)
		for (unsigned f = 0;
		     rows_text_is(rows, (struct range){begin, end}, rows->types[t]) && f < rows->flat_count; f++) {
			const struct source_type *row = rows_pointee(rows->flat[f]->type);

			while (row->shape == SHAPE_ARRAY && row->type.size_bytes != (uint64_t)node->value)
				row = row->target;
			if (row->shape == SHAPE_ARRAY)
				return row;
		}
	return NULL;
}

/* sizeof(p[0]), sizeof(row). */
static void flatten_size(struct rows *rows, const struct node *node)
{
	const struct node *operand = node->child_count ? rows_written(node->children[0]) : NULL;
	const struct source_type *row = operand ? operand->type : rows->measures ? named_row(rows, node) : NULL;

	if (row && row->shape == SHAPE_ARRAY && (!operand || rows_becomes_flat(rows, operand)))
		size_edit(rows, node, rows_record(row), rows_count(row));
	else if (operand)
		rows_flatten_node(rows, operand);
}

/* Whether nothing uses the value of a node's child. */
static bool discards(const struct rows *rows, const struct node *node, unsigned child)
{
	return node->kind == NODE_BLOCK || (node->kind == NODE_FOR && child == 2) ||
	       (node->kind == NODE_BINARY && node->op == OPERATOR_COMMA && (child == 0 || rows->discarded == node));
}

void rows_flatten_children(struct rows *rows, const struct node *node)
{
	const struct node *outer = rows->discarded;

	for (unsigned i = 0; i < node->child_count; i++) {
		rows->discarded = outer;
		rows->discarded = discards(rows, node, i) ? node->children[i] : NULL;
		if (node->children[i])
			rows_flatten_node(rows, node->children[i]);
	}
	rows->discarded = outer;
}

/* Where values end up that are not followed. */
static void flatten_end(struct rows *rows, const struct node *node)
{
	if (node->kind == NODE_RETURN && escapes(rows, node_child(node, 0)))
		rows_refuse(rows, node->place, "a function returns one");
	if (node->kind == NODE_FOR && escapes(rows, node_child(node, 4)))
		rows_refuse(rows, node->place, "a loop goes over all of a row");
	rows_flatten_children(rows, node);
}

static void flatten_list(struct rows *rows, const struct node *node)
{
	for (unsigned i = 0; i < node->child_count; i++)
		if (node->children[i] && rows_pointee(node->children[i]->type))
			flatten_to(rows, node->children[i]);
		else if (node->children[i])
			rows_flatten_node(rows, node->children[i]);
}

static void flatten_declaration(struct rows *rows, const struct node *node)
{
	if (node_child(node, 0) && rows_is_flat(rows, node->declaration))
		flatten_to(rows, node->children[0]);
	else
		rows_flatten_children(rows, node);
}

void rows_flatten_node(struct rows *rows, const struct node *node)
{
	node = rows_written(node);
	switch (node->kind) {
	case NODE_SUBSCRIPT:
		if (rows_becomes_flat(rows, rows_subscript_base(node)))
			rows_flatten_subscript(rows, node);
		else
			rows_flatten_children(rows, node);
		break;
	case NODE_UNARY:
		if (rows_becomes_flat(rows, node))
			rows_flatten_unary(rows, node);
		else
			rows_flatten_children(rows, node);
		break;
	case NODE_BINARY:
		flatten_binary(rows, node);
		break;
	case NODE_ASSIGN:
		flatten_assignment(rows, node);
		break;
	case NODE_CAST:
		if (rows_becomes_flat(rows, node))
			flatten_cast(rows, node);
		else
			rows_flatten_children(rows, node);
		break;
	case NODE_CALL:
	case NODE_LAUNCH:
	case NODE_CONSTRUCT:
		flatten_call(rows, node);
		break;
	case NODE_INTEGER:
		flatten_size(rows, node);
		break;
	case NODE_LIST:
		flatten_list(rows, node);
		break;
	case NODE_DECLARE:
		flatten_declaration(rows, node);
		break;
	default:
		flatten_end(rows, node);
		break;
	}
}

/* ---- functions ---------------------------------------------------------------------------------- */

static bool edits_equal(const struct row_edit *left, const struct row_edit *right)
{
	return left->range.begin == right->range.begin && left->range.end == right->range.end &&
	       strcmp(left->text, right->text) == 0;
}

/* Takes back the edits of a body that another instance of its template has, too; refuses those that differ. */
static void instance_compare(struct rows *rows, const struct source_function *function, unsigned from, unsigned first,
                             unsigned first_end)
{
	bool same = rows->edit_count - from == first_end - first;

	for (unsigned e = 0; same && e < first_end - first; e++)
		same = edits_equal(&rows->edits[first + e], &rows->edits[from + e]);
	if (!same)
		rows_refuse(rows, function->place, "instances of a template use rows of different lengths");
	rows->edit_count = from;
}

void rows_flatten_body(struct rows *rows, const struct source_function *function, struct row_bodies *bodies)
{
	struct row_body body = {function->body_range.begin, rows->edit_count, 0};

	if (!function->body || !function->in_main_file || function->body_range.end == 0)
		return;
	rows_flatten_node(rows, function->body);
	for (unsigned b = 0; b < bodies->count; b++)
		if (bodies->list[b].begin == body.begin) {
			instance_compare(rows, function, body.first, bodies->list[b].first, bodies->list[b].end);
			return;
		}
	body.end = rows->edit_count;
	ARENA_PUSH(rows->arena, bodies->list, bodies->count, body);
}
