/*
 * Which pointers and references to rows become pointers to records: those of device code, and of the host those that
 * reach it, by launches, calls, assignments and initialisers.
 */
#include "analyzer/rows/internal.h"

/* ---- the pointers ------------------------------------------------------------------------------- */

static void flat_add(struct rows *rows, const struct source_declaration *declaration)
{
	if (declaration && declaration->kind != DECLARATION_FUNCTION && declaration->range.end > 0 &&
	    rows_pointee(declaration->type) && !rows_is_flat(rows, declaration))
		ARENA_PUSH(rows->arena, rows->flat, rows->flat_count, declaration);
}

static bool named_visit(void *context, const struct node *node)
{
	if (node->kind == NODE_DECLARE || node->kind == NODE_REFERENCE || node->kind == NODE_MEMBER)
		flat_add(context, node->declaration);
	return true;
}

static bool is_device(const struct source_function *function)
{
	return function->is_device || function->is_kernel;
}

/* All of device code. */
static void device_collect(struct rows *rows)
{
	for (unsigned f = 0; f < rows->unit->function_count; f++) {
		const struct source_function *function = rows->unit->functions[f];

		if (!is_device(function) || !function->body)
			continue;
		for (unsigned p = 0; p < function->parameter_count; p++)
			flat_add(rows, function->parameters[p]);
		node_visit(function->body, named_visit, rows);
	}
}

/* What a parameter gets that is flat. */
static void arguments_collect(struct rows *rows, const struct node *node)
{
	const struct source_function *function = node->declaration ? node->declaration->function : NULL;

	for (unsigned i = 0; function && i < node_argument_count(node) && i < function->parameter_count; i++)
		if (rows_is_flat(rows, function->parameters[i]) && node_argument(node, i))
			node_visit(node_argument(node, i), named_visit, rows);
}

static bool host_visit(void *context, const struct node *node)
{
	struct rows *rows = context;

	if (node->kind == NODE_CALL || node->kind == NODE_LAUNCH || node->kind == NODE_CONSTRUCT)
		arguments_collect(rows, node);
	if ((node->kind == NODE_ASSIGN && rows_pointee(node->type) && rows_mentions(rows, node)) ||
	    (node->kind == NODE_DECLARE && rows_pointee(node->declaration->type) &&
	     (rows_is_flat(rows, node->declaration) || rows_mentions(rows, node))))
		node_visit(node, named_visit, rows);
	return true;
}

/* Of the host, until no more are found. */
static void host_collect(struct rows *rows)
{
	unsigned before;

	do {
		before = rows->flat_count;
		for (unsigned f = 0; f < rows->unit->function_count; f++)
			if (!is_device(rows->unit->functions[f]) && rows->unit->functions[f]->body)
				node_visit(rows->unit->functions[f]->body, host_visit, rows);
	} while (rows->flat_count > before);
}

/* Whether a kernel gets one: as a parameter, or in a record. */
static bool kernels_take_rows(const struct rows *rows)
{
	for (unsigned i = 0; i < rows->flat_count; i++)
		if (rows->flat[i]->kind == DECLARATION_FIELD)
			return true;
	for (unsigned f = 0; f < rows->unit->function_count; f++)
		for (unsigned p = 0;
		     rows->unit->functions[f]->is_kernel && p < rows->unit->functions[f]->parameter_count; p++)
			if (rows_is_flat(rows, rows->unit->functions[f]->parameters[p]))
				return true;
	return false;
}

const struct source_text *rows_flatten(const struct source_unit *unit)
{
	struct rows rows = {.arena = unit->arena, .unit = unit};
	struct row_bodies bodies = {NULL, 0};
	const struct source_text *text;

	device_collect(&rows);
	if (!kernels_take_rows(&rows))
		return NULL;
	host_collect(&rows);
	for (unsigned i = 0; i < rows.flat_count; i++)
		rows_declare(&rows, rows.flat[i]);
	for (unsigned f = 0; f < unit->function_count; f++) {
		rows_prototypes(&rows, unit->functions[f]);
		rows_flatten_body(&rows, unit->functions[f], &bodies);
	}
	text = rows.problem ? NULL : rows_text(&rows);
	if (rows.problem)
		diagnostics_report(unit->diagnostics, SEVERITY_NOTE, rows.place,
		                   "rows of records keep their layout: %s; change that to have it ranked",
		                   rows.problem);
	return text;
}
