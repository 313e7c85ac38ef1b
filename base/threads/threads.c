/*
 * Threads of POSIX: each takes the next piece of work until none is left.
 */
#include "base/threads/threads.h"

#include "base/base.h"
#include "base/clock/clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define IDLE_CORES_MOST 1024
#define THREADS_MOST 64

/* ---- cores ------------------------------------------------------------------------------ */

static unsigned cores_allowed(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

/* Threads of all processes that run or wait for a core, the caller's included: the fourth field of /proc/loadavg,
 * "2/345". */
static unsigned threads_running(void)
{
	FILE *stream = fopen("/proc/loadavg", "r");
	unsigned running = 0;

	if (!stream)
		return 0;
	if (fscanf(stream, "%*f %*f %*f %u/", &running) != 1)
		running = 0;
	fclose(stream);
	return running;
}

unsigned threads_idle_cores(void)
{
	unsigned cores = cores_allowed(), running = threads_running();
	const char *said = getenv("COALESCE_IDLE_CORES");
	unsigned long wanted = said ? strtoul(said, NULL, 10) : 0;

	if (wanted > 0)
		return wanted < IDLE_CORES_MOST ? (unsigned)wanted : IDLE_CORES_MOST;
	if (running == 0 || running > cores)
		return 1;
	return cores - running + 1;
}

/* ---- work ------------------------------------------------------------------------------- */

struct pile {
	atomic_uint next;
	unsigned count;
	void (*work)(void *context, unsigned index);
	void *context;
};

struct worker {
	struct pile *pile;
	pthread_t thread;
	bool started, good;
	struct failure failure;
	double processor;
};

static void pile_take(void *context)
{
	struct pile *pile = context;

	for (unsigned i = atomic_fetch_add(&pile->next, 1); i < pile->count; i = atomic_fetch_add(&pile->next, 1))
		pile->work(pile->context, i);
}

static void *worker_run(void *context)
{
	struct worker *worker = context;
	struct duration begin = clock_thread();

	worker->good = failure_catch(pile_take, worker->pile, &worker->failure);
	worker->processor = clock_thread_since(begin).processor;
	return NULL;
}

static void failure_pass(const struct worker *worker)
{
	if (worker->good)
		return;
	if (worker->failure.code == EXIT_BUG)
		bug("%s", worker->failure.text);
	out_of_memory();
}

double threads_run(unsigned threads, unsigned count, void (*work)(void *context, unsigned index), void *context)
{
	struct pile pile = {.count = count, .work = work, .context = context};
	struct worker workers[THREADS_MOST] = {{0}};
	double elsewhere = 0;

	threads = threads < count ? threads : count;
	threads = threads < THREADS_MOST ? threads : THREADS_MOST;
	for (unsigned t = 0; t < threads || t == 0; t++)
		workers[t] = (struct worker){.pile = &pile, .good = true};
	for (unsigned t = 1; t < threads; t++)
		workers[t].started = pthread_create(&workers[t].thread, NULL, worker_run, &workers[t]) == 0;
	worker_run(&workers[0]);
	for (unsigned t = 1; t < threads; t++) {
		if (workers[t].started)
			pthread_join(workers[t].thread, NULL);
		elsewhere += workers[t].processor;
	}
	for (unsigned t = 0; t < threads || t == 0; t++)
		failure_pass(&workers[t]);
	return elsewhere;
}
