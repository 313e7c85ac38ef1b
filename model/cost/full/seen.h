/*
 * seen: for each line that this SM has asked the L2 for, a number for each of its granules; and how
 * long the L2 keeps a line. Sizes come from l2.size_bytes, l2.partitions. Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_SEEN_H
#define COALESCE_MODEL_COST_FULL_SEEN_H

#include "model/cost/full/full.h"

#define FULL_NOT_ASKED (-1.0f)

struct full_seen;
/* granules: of a line. Lives in arena. */
struct full_seen *full_seen_make(struct arena *arena, unsigned granules);
/* The line's numbers, FULL_NOT_ASKED at first; valid until the next call. */
float *full_seen_line(struct full_seen *seen, uint64_t line);
/* The same where the line has been asked for, else NULL. */
const float *full_seen_find(const struct full_seen *seen, uint64_t line);
/* The line is about to be looked at. */
void full_seen_prefetch(const struct full_seen *seen, uint64_t line);

/*
 * After how many bytes that SMs have asked for a line is given up. One that SMs of one half of the L2 alone ask for: so much of the L2 as lines fill that lie in both halves if they are far from whom asks for
 * them, and up to all of it, drawn by the line and a number. Of sets of 44, 48, 52, 56, 60 MiB that are read again and again 0.04, 0.16, 0.36, 0.64, 1 is lost by that; 0.09, 0.23, 0.40, 0.71, 0.85 was
 * (benchmarks/operands/again.cu, each line by the same SM or the next one; 60 MiB, two halves). Those that both halves ask for, with so much of a chance: one half's bytes.
 */
double full_seen_reach(const struct full_machine *machine, uint64_t line, unsigned number, double both);
/*
 * Share of lines that the L2 still holds after so many bytes of other lines: 1 - P(reach < loaded + begins * stored), by the distribution of
 * full_seen_reach(). A stored line lies in one half alone; begins is the share of the L2 that lines with copies in both halves fill.
 */
double full_seen_held(const struct full_machine *machine, double loaded, double stored);
/* Not more than that is for any line. */
double full_seen_least_reach(const struct full_machine *machine);

#endif
