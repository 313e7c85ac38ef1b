/*
 * analyzer/host/loop: loops of the host. loop.c decides how one is followed: run.c runs it, stretch.c walks its body
 * once for each stretch of iterations that do the same; what neither knows is forgotten (forget.c). count.c says how
 * often a loop runs. Names begin with host_.
 */
#ifndef COALESCE_ANALYZER_HOST_LOOP_LOOP_H
#define COALESCE_ANALYZER_HOST_LOOP_LOOP_H

#include "analyzer/host/host.h"

/* ---- count.c -------------------------------------------------------------------------------- */

/* A loop that is counted by the steps of a variable. */
struct host_count {
	struct source_declaration *variable;
	const struct node *step, *comparison; /* comparison: NULL where the condition is another one */
	uint64_t iterations;
	const struct host_constant *middle; /* the variable's value in iteration iterations / 2 */
	bool assumed;                       /* the bounds are */
	bool is_bound;                      /* it may end before */
	int64_t start,
		by; /* the variable's first value, and its step; by: 0 where it is not the same in all iterations */
};
/* False where the loop can not be counted; the state, that behind its init, is left as it was. */
bool host_count_iterations(struct host *host, const struct node *loop, struct host_count *count);

/* ---- run.c ---------------------------------------------------------------------------------- */

#define HOST_RUN_NODES 40000ul
#define HOST_RUN_ITERATIONS 4000u

/* SAMPLED: all launches are counted, from some of the iterations; what the loop sets is not known. */
enum run_end { RUN_ENDED, RUN_RETURNED, RUN_SAMPLED, RUN_FAILED };

/* Runs the loop behind its init, for so many nodes. count: how often it runs, where some of the iterations may stand
 * for all; or NULL. */
enum run_end host_run(struct host *host, const struct node *node, unsigned long most, const struct host_count *count);
/* Runs a loop over a range whose elements are counted; false where it has to be walked as any other. */
bool host_run_range(struct host *host, const struct node *node, enum run_end *end);

/* ---- stretch.c ------------------------------------------------------------------------------ */

/*
 * Walks a for or while loop that is counted, behind its init, by stretches of iterations; false where it cannot be, and
 * all is as it was before. *is_complete: what is known before, and set by the loop, is known behind it too.
 */
bool host_stretch_loop(struct host *host, const struct node *node, const struct host_count *count, bool *is_complete);

/* ---- counted.c ------------------------------------------------------------------------------ */

/* Behind the outermost loop that launches nothing: integers that it raised, since a mark, on conditions that are not
 * known get an assumed value. */
void host_count_conditional(struct host *host, const struct node *loop, size_t mark);

/* ---- forget.c ------------------------------------------------------------------------------- */

/* The same as host_forget_changed() for an iteration, of which the loop's own variables are not known either. */
void host_forget_iteration(struct host *host, const struct node *node, const char *reason);
/* Forgets behind a loop, where what it changed since a mark may also be as before. */
void host_forget_after(struct host *host, const struct node *loop, size_t mark);
/* Whether something that a loop changes may be asked for by what stands outside of it; where that is not known too. */
bool host_outlives(struct host *host, const struct node *loop);

#endif
