/*
 * cover: a whole launch, covered by boxes of warps that do the same.
 *
 * A run of a box' first warp ends with the part of the box for which it speaks; what is left is cut into boxes again.
 * That is exact, and ends after a few boxes where everything is linear. Where it would take more steps than are
 * allowed:
 *   - when only addresses are in the way, which declared content scatters, the launch is covered once more by its
 * shape: such addresses no longer end a box. All executions are exact then; what the scattered requests touch is
 * measured on a sample of warps, as a ratio to their executions;
 *   - else a sample of warps stands for the boxes that are left (sample.c).
 * Prefix: cover_.
 */
#ifndef COALESCE_MODEL_EXECUTE_COVER_H
#define COALESCE_MODEL_EXECUTE_COVER_H

#include "model/execute/run/run.h"

struct boxes {
	struct box *list;
	size_t count;
};

/* launch.c: prepares plan, groups and counts. */
void cover_prepare(struct evaluator *evaluator);
/* Fills evaluator->result. */
void cover_launch(struct evaluator *evaluator);

/* ---- within the room ------------------------------------------------------------------------------ */

/* groups.c: fills evaluator->groups. */
void cover_groups(struct evaluator *evaluator);

/* sum.c: warps in a box. */
double cover_volume(const struct box *box);
/* The part of the box that the run speaks for. */
struct box cover_covered(const struct run *run, const struct box *box);
/* Adds the run's counts, for `volume` warps each, times weight. */
void cover_add(struct run *run, const struct tally *totals, double volume, double weight);
/* Sums counts that are a polynomial over the box. Returns false where a point turns out to differ after all. */
bool cover_add_polynomial(struct run *run, const struct box *covered, const struct tally *totals);

/* sample.c: totals hold all executions: adds what scattered requests touch, as a sample of the launch's warps shows it.
 */
void cover_scattered(struct run *run, const struct boxes *launch, const struct tally *totals);
/* Adds the counts of the boxes that are left, as a sample of their warps shows them. */
void cover_rest(struct run *run, const struct boxes *left, const struct tally *totals);

#endif
