/*
 * Wavefronts: cycles for which a launch's requests hold the data stage of the L1, as Nsight Compute counts them
 * (l1tex__data_pipe_lsu_wavefronts).
 *
 *   wavefronts = sum over executions of (shared memory: passes; global and local loads: passes by banks; stores and
 * atomics: lines)
 *
 * Passes by banks of a global load are those of one full execution. Assumption: a store holds the stage once for each
 * line; measured is up to three times that where its lines are full. Source: hopper-class L1 as in
 * model/cost/full/sm/request.c; no time depends on this.
 */
#include "model/cost/cost.h"

static double insn_wavefronts(const struct ptx_insn *insn, const struct insn_totals *totals)
{
	unsigned flags = ptx_insn_flags(insn);
	if (!(flags & (FLAG_LOAD | FLAG_STORE)) || insn->space == SPACE_PARAM || insn->space == SPACE_CONST)
		return 0;
	if (totals->wavefronts > 0)
		return totals->wavefronts;
	if (flags & (FLAG_STORE | FLAG_ATOMIC) || !totals->sample_mask)
		return totals->lines;
	return totals->executions *
	       touch_wavefronts(totals->sample_address, totals->sample_mask, ptx_insn_access_bytes(insn));
}

double cost_wavefronts(const struct launch_view *view)
{
	const struct code_view *code = cost_executed_code(view);
	double sum = 0;
	for (size_t i = 0; code->evaluation && i < code->function->insn_count; i++)
		sum += insn_wavefronts(&code->function->insns[i], &code->evaluation->insns[i]);
	return sum;
}
