/*
 * Inside of run/: blocks, steps and branches of one warp. run.h has the types.
 */
#ifndef COALESCE_MODEL_EXECUTE_STEPS_H
#define COALESCE_MODEL_EXECUTE_STEPS_H

#include "model/execute/run/run.h"

/* ---- activation.c --------------------------------------------------------------------------------- */

void activation_push(struct run *run, struct activation *activation, struct entry entry);
/* Recomputes which registers lanes waiting below the top of the stack will read. */
void activation_update(struct activation *activation);
/* Lanes leave the function: they are waited for no longer, except by the other side of a branch that was weighed. */
void activation_leave(struct activation *activation, uint32_t lanes);
static inline struct entry *activation_top(struct activation *activation)
{
	return &activation->stack[activation->depth - 1];
}

/* ---- assume.c ------------------------------------------------------------------------------------- */

/* Lists what was assumed at an instruction; %s in format stands for detail. */
void warp_assume(struct run *run, uint32_t insn, const char *format, const char *detail) PRINTF_LIKE(3, 0);
/* The same of a loop: how many trips it is assumed to have. */
void warp_guess_trips(struct run *run, uint32_t insn, const struct outcome *outcome, struct loop_range range);
/* The same of a condition: how often it is assumed to hold. */
void warp_guess_condition(struct run *run, uint32_t insn, const struct outcome *outcome,
                          const struct guard_share *share);
/* Lists that what the instruction loads is nowhere declared, and what it is taken to be. name: of the buffer, or NULL.
 */
void warp_suppose(struct run *run, uint32_t insn, const char *name, const struct content *content);
/* Lists, once for all of them, that special cases of arithmetic are taken not to occur. */
void warp_assume_usual(struct run *run, uint32_t insn);
/* Ends the run at the block it is in. */
void warp_cut(struct run *run, const struct activation *activation, const char *why);
/* What the instruction that made a value unknown brought, in words. */
const char *warp_origin(const struct run *run, uint32_t origin);
/* An instruction of the kernel, or NULL. */
const struct ptx_insn *warp_insn(const struct run *run, uint32_t index);

/* ---- warp.c --------------------------------------------------------------------------------------- */

/* Runs a function for the lanes of mask until all have left it. */
void warp_run(struct run *run, struct activation *activation, uint32_t mask, double weight);

/* ---- branch.c ------------------------------------------------------------------------------------- */

struct outcome branch_outcome(const struct run *run, const struct activation *activation, const struct step *step,
                              uint32_t mask);
/* Counts an execution for the lanes of mask. */
void branch_count(struct run *run, const struct activation *activation, const struct step *step, uint32_t mask);
/* Leaves the block that was just run. */
void branch_transfer(struct run *run, struct activation *activation, const struct plan_block *block);

/* ---- memory.c ------------------------------------------------------------------------------------- */

/* Counts a memory instruction and loads its result where it is declared. */
void memory_access(struct run *run, struct activation *activation, const struct step *step, uint32_t mask,
                   uint32_t live);

#endif
