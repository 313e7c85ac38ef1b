/*
 * How often blocks and edges of a control-flow graph are executed.
 */
#include "cli/report/report.h"

#include <math.h>

static bool is_drawable(const struct code_view *code)
{
	return code->function && code->function->cfg && code->evaluation;
}

const struct code_view *report_code(const struct ranked_layout *row)
{
	if (is_drawable(&row->view->machine_code))
		return &row->view->machine_code;
	return is_drawable(&row->view->ptx) ? &row->view->ptx : NULL;
}

unsigned report_block_length(const struct code_view *code, uint32_t block)
{
	const struct ptx_basic_block *own = &code->function->cfg->blocks[block];
	unsigned count = 0;
	for (uint32_t i = own->first; i < own->first + own->count; i++)
		count += !code->function->insns[i].synthetic;
	return count;
}

double report_block_executions(const struct code_view *code, uint32_t block)
{
	return code->evaluation->blocks ? code->evaluation->blocks[block].flow.executions : NAN;
}

double report_edge_executions(const struct code_view *code, uint32_t block, unsigned successor)
{
	const struct block_totals *totals = code->evaluation->blocks ? &code->evaluation->blocks[block] : NULL;
	return totals && totals->edges ? totals->edges[successor].executions : NAN;
}
