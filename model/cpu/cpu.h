/*
 * cpu: kernels as C, to run on this CPU. A kernel's PTX becomes one C function that runs a warp: registers are arrays
 * of 32 lanes, straight pieces of code are loops over the lanes that are active, and lanes that part meet again at the
 * lowest place in the text. What cannot be translated is refused with its reason.
 *
 *   translate.c    modules as C
 *   plan.c         a function as cases and segments: where lanes part, meet, and see each other
 *   flow.c         what stands between segments: branches, barriers, calls, what lanes do together
 *   lane.c         a segment as a loop over lanes
 *   compute.c      what an instruction computes for one lane
 *   convert.c      conversions
 *   access.c       what it loads and stores
 *   spelling.c     words of spellings that have a meaning here
 *   operand.c      operands, addresses, frames
 *   build.c        C text as a shared object
 *   support/       what translated code includes
 *
 * Prefix: cpu_.
 */
#ifndef COALESCE_MODEL_CPU_CPU_H
#define COALESCE_MODEL_CPU_CPU_H

#include "base/base.h"
#include "ptxparse/ptxparse.h"

/* A module of a program. */
struct cpu_source {
	const struct ptx_module *module;
	const char *hash; /* of its text, by cpu_hash() */
};

/* ---- translate.c ------------------------------------------------------------------------- */

/* 16 hexadecimal digits. */
const char *cpu_hash(struct arena *arena, const char *text, size_t length);
/* Appends C text for the kernels of all modules. Kernels that are refused stand in its tables with the reason. */
void cpu_translate(struct arena *arena, const struct cpu_source *sources, unsigned count, struct text *out);

/* ---- build.c ------------------------------------------------------------------------------ */

/*
 * Compiles C text of cpu_translate() to `folder`/kernels.so; other files are left in the folder. Returns its path;
 * NULL, with what went wrong in *problem, where that cannot be. seconds: of processor time, at most; memory is limited
 * as by process_limits_complete().
 */
const char *cpu_build(struct arena *arena, const char *folder, const struct text *text, double seconds,
                      const char **problem);

#endif
