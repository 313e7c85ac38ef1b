/*
 * Runs cases in a process of their own, many one after another: a thread each, so that nothing of one command is left
 * for the next. What ends the process is known by the number of its case, which the process leaves in shared memory;
 * the next process goes on after it.
 */
#include "mutants.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES ((size_t)8 << 20)
/* Of processor time in this process, and on the wall. */
#define WORK_SECONDS 30
#define WALL_SECONDS 240
/* One case of so many has libclang in a child, as the program has it. */
#define APART_EVERY 32
#define SHOWN_BYTES 1500

int coalesce_main(int count, char **arguments); /* cli/main.c */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

struct shared {
	uint64_t number;  /* of the case that runs */
	bool done, leaks; /* the process has done all of its cases; memory leaked */
	bool seed_fails;
	struct tally tally;
};
struct batch {
	const struct server *server;
	struct target *target;
	struct shared *shared;
	uint64_t first;
	unsigned count;
	bool apart;              /* all cases have libclang in a child */
	bool repeat;             /* the cases have been told of */
	int out, said, terminal; /* what commands print, what they say, and what this program prints */
};
struct call {
	int count;
	char **arguments;
	int code;
};

/* ---- one command ----------------------------------------------------------------------------- */

static double processor_seconds(void)
{
	struct timespec own;
	struct rusage children;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return (double)(own.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) + (double)own.tv_nsec / 1e9 +
	       (double)(children.ru_utime.tv_usec + children.ru_stime.tv_usec) / 1e6;
}

static void *call_do(void *context)
{
	struct call *call = context;
	call->code = coalesce_main(call->count, call->arguments);
	return NULL;
}

static struct blob stream_read(struct arena *arena, int stream)
{
	struct blob text = {0};
	off_t length = lseek(stream, 0, SEEK_END);
	text.data = arena_alloc(arena, (size_t)length + 1);
	ssize_t got = pread(stream, text.data, (size_t)length, 0);
	text.length = got > 0 ? (size_t)got : 0;
	return text;
}

static void stream_clear(int stream)
{
	if (ftruncate(stream, 0) == 0)
		lseek(stream, 0, SEEK_SET);
}

static void timers_set(void)
{
	const struct itimerval work = {{0, 0}, {WORK_SECONDS, 0}};
	setitimer(ITIMER_PROF, &work, NULL);
	alarm(WALL_SECONDS);
}

/* Runs a command as the program does, in this process. Its streams are the batch's. */
static struct ending command_run(struct arena *arena, const struct batch *batch, int count, char **words)
{
	struct ending ending = {0};
	char *arguments[CASE_WORDS_MOST + 2] = {arena_strdup(arena, "coalesce")};
	struct call call = {count + 1, arguments, -1};
	pthread_attr_t attributes;
	pthread_t thread;
	memcpy(arguments + 1, words, (size_t)count * sizeof *words);
	stream_clear(batch->out);
	stream_clear(batch->said);
	timers_set();
	double begun = processor_seconds();
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (pthread_create(&thread, &attributes, call_do, &call) == 0)
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	fflush(stdout);
	fflush(stderr);
	ending.code = call.code;
	ending.seconds = processor_seconds() - begun;
	ending.out = stream_read(arena, batch->out);
	ending.said = stream_read(arena, batch->said);
	return ending;
}

/* ---- cases in the process that runs them ------------------------------------------------------- */

/* Starts the random numbers of a case. */
static unsigned seed_choose(const struct target *target, uint64_t number)
{
	chance_begin(number);
	return chance_below(target->seed_count);
}

static void failure_tell(struct arena *arena, const struct batch *batch, uint64_t number, const struct mutant *mutant,
                         const char *wrong, const char *said)
{
	size_t length = strlen(said);
	dprintf(batch->terminal, "%s %llu: %s:", batch->target->name, (unsigned long long)number, wrong);
	for (int i = 0; i < mutant->word_count; i++)
		dprintf(batch->terminal, " %s", mutant->words[i]);
	dprintf(batch->terminal, "\n%s\n", said + (length > SHOWN_BYTES ? length - SHOWN_BYTES : 0));
	if (!batch->server->keep)
		return;
	const char *folder =
		arena_printf(arena, "%s/%s-%llu", batch->server->keep, batch->target->name, (unsigned long long)number);
	directory_create(folder);
	for (int i = 0; i < mutant->word_count; i++)
		if (mutant->inputs[i].data)
			file_write(arena_printf(arena, "%s/%s", folder, mutant->seed->words[i].name),
			           mutant->inputs[i].data, mutant->inputs[i].length);
}

static void tally_add(struct tally *tally, const struct ending *ending, const char *wrong)
{
	tally->runs++;
	tally->wrong += wrong != NULL;
	tally->codes[ending->code >= 0 && ending->code < CODES_MOST - 1 ? ending->code : CODES_MOST - 1]++;
	tally->slowest = ending->seconds > tally->slowest ? ending->seconds : tally->slowest;
}

/* An unchanged seed has to succeed: mutants of one that does not try nothing. */
static bool seed_try(struct batch *batch, const struct seed *seed)
{
	struct arena *arena = arena_create();
	struct mutant mutant = case_write(arena, batch->target, seed, 0, batch->server->folder);
	struct ending ending = command_run(arena, batch, mutant.word_count, mutant.words);
	const char *wrong = ending.code == 0 ? judge(arena, &mutant, &ending, batch->server->folder)
	                                     : "a seed must end with status 0";
	if (wrong)
		failure_tell(arena, batch, 0, &mutant, wrong, ending.said.data);
	folder_empty(batch->server->folder);
	arena_release(arena);
	return !wrong;
}

static void case_run(struct batch *batch, uint64_t number)
{
	struct arena *arena = arena_create();
	const struct seed *seed = &batch->target->seeds[seed_choose(batch->target, number)];
	struct mutant mutant = case_write(arena, batch->target, seed, number, batch->server->folder);
	struct ending ending = command_run(arena, batch, mutant.word_count, mutant.words);
	const char *wrong = judge(arena, &mutant, &ending, batch->server->folder);
	if (wrong && !batch->repeat)
		failure_tell(arena, batch, number, &mutant, wrong, ending.said.data);
	tally_add(&batch->shared->tally, &ending, wrong);
	folder_empty(batch->server->folder);
	arena_release(arena);
}

static void process_run_cases(struct batch *batch) NO_RETURN;
static void process_run_cases(struct batch *batch)
{
	dup2(batch->out, STDOUT_FILENO);
	dup2(batch->said, STDERR_FILENO);
	for (uint64_t number = batch->first; number < batch->first + batch->count; number++) {
		unsigned seed = seed_choose(batch->target, number);
		batch->shared->number = number;
		near_set(!batch->apart && !batch->target->compiles && number % APART_EVERY);
		if (!batch->target->tried[seed] && !seed_try(batch, &batch->target->seeds[seed])) {
			batch->shared->seed_fails = true;
			break;
		}
		batch->target->tried[seed] = true;
		case_run(batch, number);
	}
	stream_clear(batch->said);
	if (__lsan_do_recoverable_leak_check)
		batch->shared->leaks = __lsan_do_recoverable_leak_check() != 0;
	batch->shared->done = true;
	_exit(0);
}

/* ---- processes --------------------------------------------------------------------------------- */

/* Tells of a case that ended its process, or whose memory leaked. */
static void case_tell(struct batch *batch, uint64_t number, const char *wrong)
{
	struct arena *arena = arena_create();
	const struct seed *seed = &batch->target->seeds[seed_choose(batch->target, number)];
	struct mutant mutant = case_write(arena, batch->target, seed, number, batch->server->folder);
	failure_tell(arena, batch, number, &mutant, wrong, stream_read(arena, batch->said).data);
	folder_empty(batch->server->folder);
	batch->shared->tally.wrong++;
	arena_release(arena);
}

static const char *death_name(int status)
{
	static char why[80];
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "%s",
		         WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM ? "not done in time"
		                                                                    : strsignal(WTERMSIG(status)));
	else
		snprintf(why, sizeof why, "it ended the process with status %d", WEXITSTATUS(status));
	return why;
}

/* Runs the cases in a process. One that ends it is run again with libclang in a child, and is wrong if it ends that,
 * too. */
static void process_wait(struct batch *batch)
{
	int status = 0;
	pid_t child = fork();
	if (child == 0)
		process_run_cases(batch);
	waitpid(child, &status, 0);
	if (batch->shared->done)
		return;
	folder_empty(batch->server->folder); /* a process that ended too soon leaves its files */
	if (!batch->apart && !batch->target->compiles) {
		struct batch again = *batch;
		again.first = batch->shared->number;
		again.count = 1;
		again.apart = true;
		process_wait(&again);
		batch->shared->done = false;
		return;
	}
	case_tell(batch, batch->shared->number, death_name(status));
	batch->shared->tally.runs++;
	batch->shared->tally.codes[CODES_MOST - 1]++;
}

/* Whether memory leaks when these cases run again. The tally stays. */
static bool cases_leak(const struct batch *batch)
{
	const struct tally kept = batch->shared->tally;
	struct batch again = *batch;
	again.repeat = true;
	while (again.count) {
		batch->shared->done = batch->shared->leaks = false;
		process_wait(&again);
		if (batch->shared->done)
			break;
		again.count -= (unsigned)(batch->shared->number + 1 - again.first);
		again.first = batch->shared->number + 1;
	}
	batch->shared->tally = kept;
	return batch->shared->leaks;
}

/* Finds the cases that leak among those that leak together. */
static void leaks_find(const struct batch *batch)
{
	bool any = false;
	if (batch->count == 1) {
		struct batch one = *batch;
		case_tell(&one, batch->first, "memory leaks");
		return;
	}
	for (unsigned half = 0; half < 2; half++) {
		struct batch part = *batch;
		part.first += half ? batch->count / 2 : 0;
		part.count = half ? batch->count - batch->count / 2 : batch->count / 2;
		if (cases_leak(&part)) {
			any = true;
			leaks_find(&part);
		}
	}
	if (any)
		return;
	dprintf(batch->terminal, "%s %llu to %llu: memory leaks that no half of the cases leaks\n", batch->target->name,
	        (unsigned long long)batch->first, (unsigned long long)(batch->first + batch->count - 1));
	batch->shared->tally.wrong++;
}

static void streams_open(struct batch *batch)
{
	batch->out = memfd_create("out", MFD_CLOEXEC);
	batch->said = memfd_create("said", MFD_CLOEXEC);
	batch->terminal = dup(STDOUT_FILENO);
	batch->shared = mmap(NULL, sizeof *batch->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fflush(NULL);
}

static void streams_close(struct batch *batch)
{
	close(batch->out);
	close(batch->said);
	close(batch->terminal);
	munmap(batch->shared, sizeof *batch->shared);
}

bool server_run(const struct server *server, struct target *target, uint64_t first, unsigned count, struct tally *tally)
{
	struct batch batch = {.server = server, .target = target, .first = first, .count = count};
	streams_open(&batch);
	batch.shared->tally = *tally;
	while (batch.count && !batch.shared->seed_fails) {
		batch.shared->done = batch.shared->leaks = false;
		process_wait(&batch);
		uint64_t next = batch.shared->done ? first + count : batch.shared->number + 1;
		if (batch.shared->leaks)
			leaks_find(&batch);
		batch.count = (unsigned)(first + count - next);
		batch.first = next;
	}
	*tally = batch.shared->tally;
	bool good = !batch.shared->seed_fails;
	streams_close(&batch);
	return good;
}

/* ---- making inputs ----------------------------------------------------------------------------- */

static void process_make(struct batch *batch, int count, char **words) NO_RETURN;
static void process_make(struct batch *batch, int count, char **words)
{
	struct arena *arena = arena_create();
	dup2(batch->out, STDOUT_FILENO);
	dup2(batch->said, STDERR_FILENO);
	_exit(command_run(arena, batch, count, words).code);
}

struct blob server_make(struct arena *arena, int count, char **words)
{
	struct batch batch = {0};
	struct blob made = {0};
	int status = 0;
	streams_open(&batch);
	pid_t child = fork();
	if (child == 0)
		process_make(&batch, count, words);
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		made = stream_read(arena, batch.out);
	else
		fprintf(stderr, "%s", stream_read(arena, batch.said).data);
	streams_close(&batch);
	return made;
}
