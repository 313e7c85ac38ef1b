/*
 * How often blocks and edges of a control-flow graph are executed.
 */
#include "cli/report/report.h"

#include <math.h>

double report_block_executions(const struct code_view *code, uint32_t block)
{
	return code->evaluation->blocks ? code->evaluation->blocks[block].flow.executions : NAN;
}

double report_edge_executions(const struct code_view *code, uint32_t block, unsigned successor)
{
	const struct block_totals *totals = code->evaluation->blocks ? &code->evaluation->blocks[block] : NULL;
	return totals && totals->edges ? totals->edges[successor].executions : NAN;
}
