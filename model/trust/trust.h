/*
 * Trust: how far predicted times and verdicts are from what is measured, by the errors of like cases. docs/accuracy.md
 * says how they are found.
 *
 *   trust.c       classes of rows and of pairs, intervals, margins, confidence
 *   trust.def     the errors of each class, and the margins from which on a verdict is of high or medium confidence
 *   objections.c  what speaks against a verdict whatever the errors are
 */
#ifndef COALESCE_MODEL_TRUST_H
#define COALESCE_MODEL_TRUST_H

#include "model/prediction/prediction.h"

/* ---- objections.c --------------------------------------------------------------------- */

/* Whether two rows are one program, by counts and time: what differs between them is beyond the model. */
bool trust_rows_same(const struct ranked_layout *a, const struct ranked_layout *b);
/* Sets a verdict's objections. Requires what verdict_rank() sets. */
void trust_objections_find(struct arena *arena, const struct case_result *result, struct verdict *verdict);
/* Adds those of a launch to those of the program, which begin as heard. */
void trust_objections_add(struct arena *arena, const struct objections *more, struct objections *objections);
bool trust_unopposed(const struct objections *objections);

/* ---- trust.c ------------------------------------------------------------------------- */

/* The model whose errors are known; the verdicts of the others are of low confidence, and have no intervals. */
#define TRUST_MODEL "full"
bool trust_known(const struct prediction *prediction);
/* What kind of error a row has: "dram", "atomics", ... as in trust.def. */
const char *trust_class_name(const struct case_result *result, const struct ranked_layout *row);
/* Sets the intervals of all times of a launch, but for those that the model itself gives where there is no machine
 * code. */
void trust_times(const struct prediction *prediction, struct case_result *result);
/* Whether times of a group's rows, or of any where group is NULL, are lower bounds or beyond belief. */
bool trust_is_bound(const struct case_result *result, const struct layout_group *group);
/* Widens the intervals of all times of a launch, by logarithms of factors that other values in the place of assumed
 * ones give. */
void trust_times_widen(const struct prediction *prediction, struct case_result *result, double low, double high);
/* How sure a row's time is, by the width of its interval; never high where something was assumed. */
enum confidence trust_time(const struct case_result *result, const struct ranked_layout *row);
/* How sure what is said of a launch is: its least sure verdict; where it has none, its least sure time. */
enum confidence trust_launch(const struct prediction *prediction, const struct case_result *result);
/* Sets the interval of a verdict's ratio and its confidence: of a launch, and of the program. Requires what
 * verdict_rank() sets. */
void trust_verdict(struct arena *arena, const struct prediction *prediction, const struct case_result *result,
                   struct verdict *verdict);
void trust_program(struct arena *arena, const struct prediction *prediction, struct verdict *verdict);

#endif
