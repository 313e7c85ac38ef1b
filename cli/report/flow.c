/*
 * How often blocks and edges of a control-flow graph are executed. A block as often as its first instruction is issued; an edge follows where flow that comes
 * together elsewhere leaves no choice: the only way out of a block, the only way into one, or what the other way out leaves.
 */
#include "cli/report/report.h"

#include <math.h>

double report_block_executions(const struct code_view *code, uint32_t block)
{
	const struct ptx_basic_block *own = &code->function->cfg->blocks[block];
	return own->count ? code->evaluation->insns[own->first].issued : NAN;
}

/* Of an edge, seen from its ends alone. */
static double edge_by_ends(const struct code_view *code, const struct ptx_basic_block *blocks, uint32_t block, unsigned successor)
{
	uint32_t to = blocks[block].successors[successor], other = blocks[block].successors[!successor];
	if (other == PTX_NO_BASIC_BLOCK && blocks[block].target_count == 0)
		return report_block_executions(code, block);
	return to != 0 && to != other && blocks[to].predecessor_count == 1 ? report_block_executions(code, to) : NAN;
}

double report_edge_executions(const struct code_view *code, uint32_t block, unsigned successor)
{
	const struct ptx_basic_block *blocks = code->function->cfg->blocks, *own = &blocks[block];
	if (own->successors[successor] == PTX_NO_BASIC_BLOCK)
		return NAN;
	double known = edge_by_ends(code, blocks, block, successor);
	if (!isnan(known) || own->successors[!successor] == PTX_NO_BASIC_BLOCK || own->target_count)
		return known;
	return report_block_executions(code, block) - edge_by_ends(code, blocks, block, !successor);
}
