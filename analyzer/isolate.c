/*
 * Isolation: the analysis runs in a child process, so that a crash of libclang, its stack overflow, its memory or its
 * time cannot take the program along.
 *
 * The results come back without being copied: the child builds them in an arena inside memory that both processes
 * share, mapped before the fork, so that pointers hold in the parent, as do those to constants of the program. Nothing
 * of libclang's is referred to. When the child crashes after it took a precompiled header, that is deleted and the
 * analysis repeated without one.
 */
#include "analyzer/passes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED_BYTES ((size_t)4 << 30)
#define MEMORY_LIMIT_BYTES ((rlim_t)4 << 30)
/* Larger stacks than 64 MiB AddressSanitizer takes for mistaken. */
#define STACK_LIMIT_BYTES ((rlim_t)60 << 20)
#define LIMIT_SECONDS_DEFAULT 60.0

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

/* At the beginning of the shared memory. The rest of it is the arena. */
struct handoff {
	struct analysis *analysis;
	struct diagnostics diagnostics;
	const char *cache; /* the precompiled header that was about to be used */
	bool done;
	struct failure failure; /* where the child ended by one: EXIT_BUG, EXIT_INPUT for no memory; else 0 */
	pid_t child;            /* written by the parent only: the child, while it is to be reaped */
};

enum ending { ENDING_DONE, ENDING_CRASH, ENDING_TIME, ENDING_IMPOSSIBLE };

static void limit(int resource, rlim_t bytes)
{
	struct rlimit old;

	if (getrlimit((__rlimit_resource_t)resource, &old) != 0)
		return;
	if (old.rlim_max != RLIM_INFINITY && bytes > old.rlim_max)
		bytes = old.rlim_max;
	old.rlim_cur = bytes;
	setrlimit((__rlimit_resource_t)resource, &old);
}

struct child_work {
	struct handoff *handoff;
	const struct analyzer_options *options;
};

static void work_do(void *context)
{
	const struct child_work *work = context;
	struct handoff *handoff = work->handoff;
	const size_t head = 4096;
	struct arena *arena = arena_create_inside((char *)handoff + head, SHARED_BYTES - head);

	diagnostics_init(&handoff->diagnostics, arena);
	handoff->analysis = analyze_here(arena, work->options, &handoff->diagnostics, &handoff->cache);
	if (handoff->analysis)
		handoff->analysis->elsewhere.processor = clock_thread().processor;
	handoff->done = true;
}

/*
 * The child: limits, then the analysis on the main stack, which may grow; libclang is told to start no thread with a
 * small one. Nothing of the parent's runs here any more: not what catches its failures, not what its end would call.
 */
static void run_child(struct handoff *handoff, int end, const struct analyzer_options *options) NO_RETURN;
static void run_child(struct handoff *handoff, int end, const struct analyzer_options *options)
{
	struct child_work work = {handoff, options};

	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_STACK, STACK_LIMIT_BYTES);
	if (LIMITS_MEMORY)
		limit(RLIMIT_DATA, MEMORY_LIMIT_BYTES);
	setenv("LIBCLANG_NOTHREADS", "1", 1);
	if (!failure_catch(work_do, &work, &handoff->failure))
		_exit((int)handoff->failure.code);
	(void)!write(end, "", 1);
	_exit(0);
}

/* Waits until the child has written to its end of the pipe, or ended; false when time is up. */
static bool wait_for_end(int end, double limit_seconds)
{
	double start = clock_seconds();
	struct pollfd poll_end = {.fd = end, .events = POLLIN};
	int ready;

	do {
		double left = limit_seconds - (clock_seconds() - start);

		if (left <= 0)
			return false;
		ready = poll(&poll_end, 1, left > 1e6 ? 1000000000 : (int)(left * 1000) + 1);
	} while (ready == 0 || (ready < 0 && errno == EINTR));
	return true;
}

static int reap(struct handoff *handoff)
{
	int status = 0;

	while (handoff->child > 0 && waitpid(handoff->child, &status, 0) < 0 && errno == EINTR)
		;
	handoff->child = 0;
	return status;
}

static void accompany(const struct analyzer_options *options, bool forked)
{
	if (options->accompany)
		options->accompany(options->accompany_context, forked);
}

/*
 * One attempt in a child process. A child that is done is reaped later, with the arena: giving libclang's memory back
 * takes it a while. *status is how another one ended.
 */
static enum ending run_isolated(struct handoff *handoff, const struct analyzer_options *options, int *status)
{
	int ends[2];
	bool in_time;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return ENDING_IMPOSSIBLE;
	accompany(options, false);
	child = process_fork();
	if (child == 0) {
		close(ends[0]);
		run_child(handoff, ends[1], options);
	}
	close(ends[1]);
	handoff->child = child;
	accompany(options, true);
	in_time = child > 0 && wait_for_end(ends[0], options->limit_seconds > 0 ? options->limit_seconds : LIMIT_SECONDS_DEFAULT);
	close(ends[0]);
	if (child < 0)
		return ENDING_IMPOSSIBLE;
	if (handoff->done)
		return ENDING_DONE;
	if (!in_time)
		kill(child, SIGKILL);
	*status = reap(handoff);
	return in_time ? ENDING_CRASH : ENDING_TIME;
}

static void unmap_shared(void *context)
{
	reap(context);
	munmap(context, SHARED_BYTES);
}

/* Maps memory for one attempt, which goes with the caller's arena; NULL where that is not possible. */
static struct handoff *map_shared(struct arena *arena)
{
	void *memory = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	arena_at_release(arena, unmap_shared, memory);
	return memory;
}

static struct analysis *take_over(struct handoff *handoff, struct arena *arena, struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < handoff->diagnostics.count; i++) {
		const struct diagnostic *diagnostic = &handoff->diagnostics.list[i];

		diagnostics_report(diagnostics, diagnostic->severity, diagnostic->place, "%s", diagnostic->message);
	}
	if (handoff->analysis)
		handoff->analysis->arena = arena;
	return handoff->analysis;
}

static void report_crash(const struct analyzer_options *options, struct diagnostics *diagnostics, int status)
{
	struct place place = {options->path, 0, 0};

	if (WIFSIGNALED(status))
		diagnostics_report(diagnostics, SEVERITY_ERROR, place, "libclang could not read this file: it crashed (%s)",
		                   strsignal(WTERMSIG(status)));
	else
		diagnostics_report(diagnostics, SEVERITY_ERROR, place,
		                   "libclang gave up on this file: it is too large or nested too deeply (limit %llu MiB)",
		                   (unsigned long long)(MEMORY_LIMIT_BYTES >> 20));
}

/* A bug of ours in the child is one here too. */
static void pass_on_bug(const struct handoff *handoff)
{
	if (handoff->failure.code == EXIT_BUG)
		bug("%s", handoff->failure.text);
}

struct analysis *analyze_file(struct arena *arena, const struct analyzer_options *options, struct diagnostics *diagnostics)
{
	struct analyzer_options once = *options;
	const char *cache = NULL;
	int status = 0;

	for (unsigned attempt = 0; attempt < 2; attempt++) {
		struct handoff *handoff = options->in_process ? NULL : map_shared(arena);
		enum ending ending = handoff ? run_isolated(handoff, &once, &status) : ENDING_IMPOSSIBLE;

		once.in_process = ending == ENDING_IMPOSSIBLE;
		if (once.in_process)
			return analyze_here(arena, &once, diagnostics, &cache);
		if (ending == ENDING_DONE)
			return take_over(handoff, arena, diagnostics);
		if (ending == ENDING_TIME) {
			diagnostics_report(diagnostics, SEVERITY_ERROR, (struct place){options->path, 0, 0},
			                   "libclang took longer than %g s",
			                   options->limit_seconds > 0 ? options->limit_seconds : LIMIT_SECONDS_DEFAULT);
			return NULL;
		}
		pass_on_bug(handoff);
		if (!handoff->cache)
			break;
		unlink(handoff->cache);
		once.use_cache = false;
	}
	report_crash(options, diagnostics, status);
	return NULL;
}
