/*
 * The verifier behind an evaluation: what holds of every one whatever the input, because it follows from what is
 * counted. A violation is an error of our own.
 */
#include "model/execute/execute.h"

#include <math.h>

/* Relative: counts are sums and differences of ones as large as the launch's instructions. */
#define ROUNDING 1e-9

/* By how much a count may be off. */
static double slack(const struct evaluation *evaluation)
{
	return 0.5 + ROUNDING * WARP_LANES * evaluation->warp_instructions;
}

static bool is_count(double number, double slack)
{
	return isfinite(number) && number >= -slack;
}

static bool at_most(double a, double b, double slack)
{
	return a <= b + slack;
}

static void insn_check(const struct ptx_insn *insn, const struct insn_totals *totals, double off)
{
	unsigned bytes = ptx_insn_access_bytes(insn) ? ptx_insn_access_bytes(insn) : 1;
	unsigned pieces = (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES + 1;

	if (!is_count(totals->issued, off) || !is_count(totals->executions, off) || !is_count(totals->lanes, off) ||
	    !is_count(totals->sectors, off) || !is_count(totals->lines, off) || !is_count(totals->wavefronts, off) ||
	    !is_count(totals->conflicts, off) || !is_count(totals->addresses, off))
		bug("evaluation: %s has a count that is negative or no number", insn->spelling);
	if (!at_most(totals->executions, totals->issued, off))
		bug("evaluation: %s is executed more often than issued", insn->spelling);
	if (!at_most(totals->lanes, WARP_LANES * totals->executions, off))
		bug("evaluation: %s has more lanes than its executions", insn->spelling);
	if (!(ptx_insn_flags(insn) & FLAG_CALL) && !at_most(totals->conflicts, totals->wavefronts, off))
		bug("evaluation: %s has more conflicts than passes", insn->spelling);
	if (!(ptx_insn_flags(insn) & FLAG_CALL) &&
	    !at_most(totals->sectors, WARP_LANES * pieces * totals->executions, off))
		bug("evaluation: %s touches more sectors than its lanes can", insn->spelling);
}

/* Lanes that come into each block over its edges, and at the start. */
static double *lanes_in(struct arena *scratch, const struct ptx_function *function, const struct evaluation *evaluation)
{
	const struct ptx_cfg *cfg = function->cfg;
	double *lanes = arena_array(scratch, cfg->block_count, sizeof(double));

	for (uint32_t from = 0; from < cfg->block_count; from++)
		for (uint32_t i = 0; i < 2 + cfg->blocks[from].target_count; i++) {
			uint32_t to = i < 2 ? cfg->blocks[from].successors[i] : cfg->blocks[from].targets[i - 2];

			if (to != PTX_NO_BASIC_BLOCK)
				lanes[to] += evaluation->blocks[from].edges[i].lanes;
		}
	return lanes;
}

/* What flows into a block is what it executes; and no block lets out more than that. Only of what was not cut short,
 * weighed or sampled. */
static void flow_check(const struct ptx_function *function, const struct evaluation *evaluation)
{
	struct arena *scratch = arena_create();
	double off = slack(evaluation);
	const double *lanes = lanes_in(scratch, function, evaluation);

	for (uint32_t i = 0; i < function->cfg->block_count; i++) {
		double own = evaluation->blocks[i].flow.lanes, out = 0;

		for (uint32_t j = 0; j < 2 + function->cfg->blocks[i].target_count; j++)
			out += evaluation->blocks[i].edges[j].lanes;
		if (!at_most(out, own, off))
			bug("evaluation of %s: more lanes leave block %u than come to it", function->name, i);
		if (i && (!at_most(lanes[i], own, off) || !at_most(own, lanes[i], off)))
			bug("evaluation of %s: %.15g lanes come to block %u, which %.15g execute", function->name,
			    lanes[i], i, own);
	}
	arena_release(scratch);
}

void exec_check(const struct ptx_function *function, const struct evaluation *evaluation)
{
	double off = slack(evaluation);

	if (!is_count(evaluation->warps, off) || !is_count(evaluation->warp_instructions, off) ||
	    !is_count(evaluation->divergent_branches, off))
		bug("evaluation of %s: a total that is negative or no number", function->name);
	for (size_t i = 0; i < function->insn_count; i++)
		insn_check(&function->insns[i], &evaluation->insns[i], off);
	for (uint32_t i = 0; i < function->cfg->loop_count; i++)
		if (!is_count(evaluation->loops[i].entries, off) || !is_count(evaluation->loops[i].trips, off))
			bug("evaluation of %s: loop %u has a count that is negative or no number", function->name, i);
	if (evaluation->exact)
		flow_check(function, evaluation);
}
