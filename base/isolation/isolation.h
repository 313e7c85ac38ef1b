/*
 * base/isolation: work in a child process, so that a crash of a library, its stack overflow, its memory or its time
 * cannot take the program along. Prefix: isolation_.
 *
 * Results come back without being copied: the child builds them in an arena inside memory that both processes share,
 * mapped before the fork, so that pointers hold in the parent, as do those to what was there before.
 */
#ifndef COALESCE_BASE_ISOLATION_ISOLATION_H
#define COALESCE_BASE_ISOLATION_ISOLATION_H

#include "base/base.h"

/* How work is done apart. */
struct isolation {
	struct process_limits limits;
	size_t shared_bytes; /* most that the results take */
	/* Called in the parent before the fork (forked: false) and after it, or NULL. */
	void (*accompany)(void *context, bool forked);
	void *accompany_context;
};

enum isolation_ending {
	ISOLATION_DONE,
	ISOLATION_CRASHED,    /* by a signal, or an exit of the library's */
	ISOLATION_MEMORY,     /* it crashed near its limit of memory, or found none */
	ISOLATION_TIME,       /* it reached its limit of time */
	ISOLATION_HUNG,       /* it did not work for long */
	ISOLATION_BUG,        /* bug() was called: failure says with what */
	ISOLATION_IMPOSSIBLE, /* no process or no memory to share could be had: nothing was done */
};
struct isolated {
	enum isolation_ending ending;
	int signal; /* that it crashed by, or 0 */
	struct failure failure;
	void *result; /* what the work left in *result, also where it did not finish; lives as long as arena */
};

/*
 * Calls work(shared, context, &result) in a child. It allocates from `shared` what is to be kept, and sets *result as
 * early as it likes. The child has one thread, no open signal handler of ours, and a stack of 60 MiB.
 */
struct isolated isolation_run(struct arena *arena, const struct isolation *how,
                              void (*work)(struct arena *shared, void *context, void **result), void *context);
/* Why it was not done, as a predicate: "took more than 120 s of processor time (limit: --limit-seconds)". */
const char *isolation_reason(struct arena *arena, const struct isolation *how, const struct isolated *isolated);

#endif
