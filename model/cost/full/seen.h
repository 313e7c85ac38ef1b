/*
 * seen: for each line that an SM has asked the L2 for, a number for each of its granules.
 *
 * Prefix: full_.
 */
#ifndef COALESCE_MODEL_COST_FULL_SEEN_H
#define COALESCE_MODEL_COST_FULL_SEEN_H

#include "base/base.h"

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

#endif
