/*
 * One attempt in a child process: shared memory is mapped, the child made, limited and watched until it writes to its
 * pipe, ends, or reaches a limit. A child that is done is reaped later, with the arena: giving a library's memory back
 * takes it a while.
 */
#include "base/isolation/isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Larger stacks than 64 MiB AddressSanitizer takes for mistaken. */
#define STACK_LIMIT_BYTES ((rlim_t)60 << 20)
#define HEAD_BYTES 4096 /* of the shared memory, in front of the arena */
#define LOOK_MILLISECONDS 100
/* A child that crashed with less than this share of its limit left ran out of memory. */
#define MEMORY_SHARE 0.9

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

/* At the beginning of the shared memory. */
struct isolation_head {
	void *result;
	bool done;
	struct failure failure;
	pid_t child; /* written by the parent only: the child, while it is to be reaped */
	size_t bytes;
};

struct isolation_job {
	struct isolation_head *handoff;
	void (*work)(struct arena *shared, void *context, void **result);
	void *context;
};

/* ---- in the child --------------------------------------------------------------------- */

static void limit(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit old;

	if (getrlimit(resource, &old) != 0)
		return;
	if (old.rlim_max != RLIM_INFINITY && most > old.rlim_max)
		most = old.rlim_max;
	old.rlim_cur = most;
	setrlimit(resource, &old);
}

static void job_do(void *context)
{
	const struct isolation_job *job = context;
	struct isolation_head *handoff = job->handoff;
	struct arena *arena = arena_create_inside((char *)handoff + HEAD_BYTES, handoff->bytes - HEAD_BYTES);

	job->work(arena, job->context, &handoff->result);
	handoff->done = true;
}

/* What ends a whole group, as ^C does, the parent answers: it kills this process, and says why it ends itself. */
static void signals_leave(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
}

/*
 * Nothing of the parent's runs here any more: not what catches its failures, not what its end would call. What a
 * library says on stderr when it crashes goes nowhere, but what a sanitizer says.
 */
static void child_run(struct isolation_job *job, int end, const struct process_limits *limits) NO_RETURN;
static void child_run(struct isolation_job *job, int end, const struct process_limits *limits)
{
	int nowhere = LIMITS_MEMORY ? open("/dev/null", O_WRONLY) : -1;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (nowhere >= 0)
		dup2(nowhere, STDERR_FILENO);
	signals_leave();
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_STACK, STACK_LIMIT_BYTES);
	if (LIMITS_MEMORY)
		limit(RLIMIT_DATA, limits->bytes);
	if (!failure_catch(job_do, job, &job->handoff->failure))
		_exit((int)job->handoff->failure.code);
	(void)!write(end, "", 1);
	_exit(0);
}

/* ---- in the parent -------------------------------------------------------------------- */

static double child_work(pid_t child)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &used) != 0)
		return 0;
	return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* Waits until the child has written to its end of the pipe, or ended; else says which limit it reached. */
static enum isolation_ending child_wait(pid_t child, int end, double limit_seconds)
{
	struct pollfd poll_end = {.fd = end, .events = POLLIN};
	double changed = clock_seconds(), before = 0;

	for (;;) {
		int ready = poll(&poll_end, 1, LOOK_MILLISECONDS);
		double work = child_work(child), now = clock_seconds();

		if (ready > 0)
			return ISOLATION_DONE;
		if (work > limit_seconds)
			return ISOLATION_TIME;
		if (work > before)
			changed = now;
		before = work;
		if (now - changed > process_hang_seconds(limit_seconds))
			return ISOLATION_HUNG;
	}
}

/* Reaps the child; *peak_bytes is the most memory that it had. */
static int child_reap(struct isolation_head *handoff, double *peak_bytes)
{
	struct rusage used = {0};
	int status = 0;

	while (handoff->child > 0 && wait4(handoff->child, &status, 0, &used) < 0 && errno == EINTR)
		;
	if (handoff->child > 0)
		ending_drop_child(handoff->child);
	handoff->child = 0;
	*peak_bytes = (double)used.ru_maxrss * 1024;
	return status;
}

static void shared_unmap(void *context)
{
	struct isolation_head *handoff = context;
	double peak_bytes;

	child_reap(handoff, &peak_bytes);
	munmap(handoff, handoff->bytes);
}

static struct isolation_head *shared_map(struct arena *arena, size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct isolation_head *handoff = memory;

	if (memory == MAP_FAILED)
		return NULL;
	handoff->bytes = bytes;
	arena_at_release(arena, shared_unmap, memory);
	return handoff;
}

/* How a child ended that was not done. */
static enum isolation_ending ending_of(const struct isolation_head *handoff, int status, double peak_bytes,
                                       double limit_bytes)
{
	if (handoff->failure.code == EXIT_BUG)
		return ISOLATION_BUG;
	if (handoff->failure.code == EXIT_INPUT || (LIMITS_MEMORY && peak_bytes > MEMORY_SHARE * limit_bytes))
		return ISOLATION_MEMORY;
	return WIFEXITED(status) ? ISOLATION_MEMORY : ISOLATION_CRASHED;
}

static struct isolated child_conclude(struct isolation_head *handoff, enum isolation_ending ending, double limit_bytes)
{
	struct isolated isolated = {.ending = ending, .result = handoff->result};
	double peak_bytes;
	int status;

	if (handoff->done) {
		isolated.ending = ISOLATION_DONE;
		return isolated;
	}
	if (ending != ISOLATION_DONE)
		kill(handoff->child, SIGKILL);
	status = child_reap(handoff, &peak_bytes);
	isolated.result = handoff->result;
	isolated.failure = handoff->failure;
	isolated.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (ending == ISOLATION_DONE)
		isolated.ending = ending_of(handoff, status, peak_bytes, limit_bytes);
	return isolated;
}

static void accompany(const struct isolation *how, bool forked)
{
	if (how->accompany)
		how->accompany(how->accompany_context, forked);
}

struct isolated isolation_run(struct arena *arena, const struct isolation *how,
                              void (*work)(struct arena *shared, void *context, void **result), void *context)
{
	struct process_limits limits = process_limits_complete(how->limits);
	struct isolation_job job = {shared_map(arena, how->shared_bytes), work, context};
	enum isolation_ending ending;
	int ends[2];

	if (!job.handoff || pipe2(ends, O_CLOEXEC) != 0)
		return (struct isolated){.ending = ISOLATION_IMPOSSIBLE};
	accompany(how, false);
	pid_t child = process_fork();
	if (child == 0) {
		close(ends[0]);
		child_run(&job, ends[1], &limits);
	}
	close(ends[1]);
	if (child > 0)
		ending_add_child(child, ENDING_CHILD);
	job.handoff->child = child > 0 ? child : 0;
	accompany(how, true);
	ending = child > 0 ? child_wait(child, ends[0], limits.seconds) : ISOLATION_IMPOSSIBLE;
	close(ends[0]);
	return child > 0 ? child_conclude(job.handoff, ending, (double)limits.bytes)
	                 : (struct isolated){.ending = ending};
}

const char *isolation_reason(struct arena *arena, const struct isolation *how, const struct isolated *isolated)
{
	struct process_limits limits = process_limits_complete(how->limits);

	switch (isolated->ending) {
	case ISOLATION_MEMORY:
		return arena_printf(
			arena,
			"gave up on this file: it is too large or nested too deeply (limit: %llu MiB, --limit-memory)",
			(unsigned long long)(limits.bytes >> 20));
	case ISOLATION_TIME:
		return arena_printf(arena, "took more than %g s of processor time (--limit-seconds)", limits.seconds);
	case ISOLATION_HUNG:
		return arena_printf(arena, "hangs: it did not work for %g s", process_hang_seconds(limits.seconds));
	case ISOLATION_CRASHED:
		return arena_printf(arena, "crashed on this file (%s)", strsignal(isolated->signal));
	default:
		return "could not be started";
	}
}
