/*
 * Inside of run/: loops. run.h has the types, and says how they are followed.
 */
#ifndef COALESCE_MODEL_EXECUTE_LOOPS_H
#define COALESCE_MODEL_EXECUTE_LOOPS_H

#include "model/execute/run/steps.h"

/* ---- frame.c: loops under way --------------------------------------------------------------------- */

/* Gives up following the loop; the trip that was run stands for itself. */
void frame_abandon(struct run *run, struct loop_frame *frame);
/* The innermost loop is no longer under way. */
void frame_drop(struct run *run);
/* Takes down live registers at this arrival. */
void frame_mark(struct run *run, struct loop_frame *frame);
/* Room for the live registers. */
void frame_reserve(struct run *run, struct loop_frame *frame);
/* Takes down the counts. */
void frame_save_counts(struct run *run, struct loop_frame *frame, unsigned which);
/*
 * Takes down the counts and begins them at zero, so that what a trip adds is exact however much came before: loops in
 * five levels of 65536 trips count to 2^80. frame_join_counts() adds them up again, once; frames may do so in any
 * order.
 */
void frame_part_counts(struct run *run, struct loop_frame *frame);
void frame_join_counts(struct run *run, struct loop_frame *frame);
/* Begins to look for a steady state again. */
void frame_restart(struct run *run, struct loop_frame *frame);
/* By how much a register grew since the mark, in all lanes alike; false where they differ. */
bool frame_delta(const struct warp_value *now, const struct warp_value *then, uint32_t mask, int64_t *delta);
static inline bool frame_is_live(const struct loop_frame *frame, uint32_t reg)
{
	return plan_set_has(frame->activation->plan->blocks[frame->block].live, reg);
}
/* Control goes to `block` (PTX_NO_BASIC_BLOCK: some lanes end): loops that it leaves are followed no longer. */
void loop_leave(struct run *run, struct activation *activation, uint32_t block);
/*
 * Whether a loop whose end is assumed goes on after the trip under way; where that is followed along an axis, trips are
 * alike as long as it does.
 */
bool loop_goes_on(struct run *run, const struct activation *activation, uint32_t loop, double trips);
/* The loop must not be advanced: what ends it is assumed. */
void loop_refuse(struct run *run, const struct activation *activation, uint32_t loop);

/* ---- local.c -------------------------------------------------------------------------------------- */

/* A number that is the same where local memory holds the same. */
uint64_t local_digest(const struct run *run);
/* A new axis is opened, along which nothing in local memory changes yet. */
void local_open_axis(struct run *run, uint32_t axis);

/* ---- loop.c --------------------------------------------------------------------------------------- */

/*
 * Control reaches a loop's header. May advance the registers and counts by many trips; returns whether the loop was
 * left, and the entry is elsewhere.
 */
bool loop_arrive(struct run *run, struct activation *activation, struct entry *entry);

/* ---- advance.c ------------------------------------------------------------------------------------ */

/* A register grows by so much in each of `periods` periods, and by the trips' slopes along the outer axes. */
void advance_register(struct run *run, const struct loop_frame *frame, struct activation *activation, uint32_t reg,
                      uint64_t delta, int64_t periods);
/* Marks the axes along which the number of trips changes. */
void advance_note_slopes(struct run *run, const struct loop_frame *frame);
/* Trips that change along launch axes make the counts grow along them. */
void advance_note_gradients(struct run *run, const struct loop_frame *frame, bool polynomial);
/* All trips are alike: registers and counts are advanced to the last of them. */
void advance_alike(struct run *run, struct loop_frame *frame, struct activation *activation);
/* Some of them stand for the others. */
void advance_window(struct run *run, struct loop_frame *frame, struct activation *activation);
/* The block that follows the loop when its last branch, from `entry->from`, does not go back; PTX_NO_BASIC_BLOCK: it is
 * none such. */
uint32_t advance_exit(const struct loop_frame *frame, const struct activation *activation, const struct entry *entry);
/* The comparison that decides whether the loop goes on, where nothing else needs to be known of the last trip, or
 * NO_INDEX. */
uint32_t advance_exit_comparison(const struct loop_frame *frame, const struct activation *activation,
                                 const struct entry *entry, uint32_t exit);
/* All trips are alike to the last, and control goes on behind the loop. */
void advance_out(struct run *run, struct loop_frame *frame, struct activation *activation, struct entry *entry,
                 uint32_t exit);
/* Counts of the sampled periods are continued as polynomials. */
void advance_polynomial(struct run *run, struct loop_frame *frame, struct activation *activation);

/* ---- stretch.c ------------------------------------------------------------------------------------ */

/* Control is back at the header of a loop that is run trip by trip: may go over many of them. */
void stretch_arrive(struct run *run, struct loop_frame *frame, struct activation *activation);

#endif
