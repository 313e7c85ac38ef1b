/*
 * seen: for each line that this SM has asked the L2 for, a number for each of its granules; and how
 * long the L2 keeps a line. Sizes come from l2.size_bytes, l2.partitions. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_RESIDENCY_H
#define COALESCE_MODEL_COST_FULL_RESIDENCY_H

#include "model/cost/full/full.h"

#define FULL_NOT_ASKED (-1.0f)

struct full_residency;
/* granules: of a line. Lives in arena. */
struct full_residency *full_residency_make(struct arena *arena, unsigned granules);
/* The line's numbers, FULL_NOT_ASKED at first; valid until the next call. */
float *full_residency_line(struct full_residency *seen, uint64_t line);
/* The same where the line has been asked for, else NULL. */
const float *full_residency_find(const struct full_residency *seen, uint64_t line);
/* The line is about to be looked at. */
void full_residency_prefetch(const struct full_residency *seen, uint64_t line);

/*
 * After how many further bytes that SMs ask for the L2 gives up a line. A line that SMs of one half
 * ask for stays for two thirds of the L2's bytes at least (where it has two halves) and for all of
 * them at most, drawn by the line and a number. One that both halves ask for, with the chance
 * `both`, stays for one half's bytes.
 */
double full_residency_reach(const struct full_machine *machine, uint64_t line, unsigned number, double both);
/*
 * Share of lines that the L2 still holds after so many bytes of other lines: all up to the least
 * reach, then falling straight to none at the L2's size (operands/update.cu). A stored line lies in
 * one half alone; begins is the share of the L2 that lines with copies in both halves fill.
 */
double full_residency_held(const struct full_machine *machine, double loaded, double stored);
/* Not more than that is for any line. */
double full_residency_least_reach(const struct full_machine *machine);

#endif
