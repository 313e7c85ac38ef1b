/*
 *     mutants [--count N | --seconds S] [--first NUMBER] [--target NAME] [--jobs N] [--keep DIR] [--compilers yes]
 * SEEDS.txt
 *
 * Runs every target of the file, N cases of each, or equal shares of S seconds, and prints for each how many cases ran,
 * how fast, and how they ended. A failure is told with its target and number: `mutants --target NAME --first NUMBER
 * --count 1` repeats it. Status 1 where there was one, 2 where a seed does not succeed unchanged.
 */
#include "mutants.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A batch takes at most about as long: the cost of a process and of a search for leaks is small beside it. */
#define BATCH_SECONDS 20.0
/* A target gets its time in so many batches or more. */
#define BATCHES_LEAST 3
#define BATCH_MOST 20000
/* Numbers of a job begin so far behind those of the job before. */
#define JOB_NUMBERS UINT64_C(1000000000000)

struct settings {
	uint64_t count, first;
	double seconds;
	const char *target, *keep, *seeds, *toolkit, *small_toolkit;
	unsigned jobs;
	bool compilers; /* targets that compile are run too */
	struct target *targets;
	unsigned target_count;
	struct tally *tallies; /* by job and target, shared */
};

/* Of the settings. Searches for leaks in other processes find it here. */
static struct arena *arena;

/* ---- options ----------------------------------------------------------------------------------- */

static bool option_take(struct settings *settings, const char *name, const char *value)
{
	if (strcmp(name, "--count") == 0)
		settings->count = strtoull(value, NULL, 10);
	else if (strcmp(name, "--seconds") == 0)
		settings->seconds = strtod(value, NULL);
	else if (strcmp(name, "--first") == 0)
		settings->first = strtoull(value, NULL, 10);
	else if (strcmp(name, "--target") == 0)
		settings->target = value;
	else if (strcmp(name, "--jobs") == 0)
		settings->jobs = (unsigned)strtoul(value, NULL, 10);
	else if (strcmp(name, "--compilers") == 0)
		settings->compilers = strcmp(value, "yes") == 0;
	else if (strcmp(name, "--keep") == 0)
		settings->keep = value;
	else
		return false;
	return true;
}

static bool options_read(struct settings *settings, int count, char **arguments)
{
	int next = 1;
	while (next + 1 < count && option_take(settings, arguments[next], arguments[next + 1]))
		next += 2;
	settings->seeds = next + 1 == count ? arguments[next] : NULL;
	return settings->seeds && settings->jobs > 0;
}

static void *shared_array(size_t count, size_t size)
{
	void *memory = mmap(NULL, count * size + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		out_of_memory();
	return memory;
}

/* ---- one job ------------------------------------------------------------------------------------ */

/* Programs that compile need the toolkit of this machine; all others have one without compilers, which has small
 * headers. */
static void toolkit_choose(const struct settings *settings, const struct target *target)
{
	if (target->compiles && !settings->toolkit)
		unsetenv("COALESCE_CUDA");
	else
		setenv("COALESCE_CUDA", target->compiles ? settings->toolkit : settings->small_toolkit, 1);
}

static unsigned batch_size(const struct settings *settings, const struct tally *tally)
{
	double share = settings->seconds / (BATCHES_LEAST * (settings->target ? 1 : settings->target_count));
	double seconds = settings->count || share > BATCH_SECONDS ? BATCH_SECONDS : share;
	double size = tally->runs ? seconds * (double)tally->runs / tally->seconds : 1;
	uint64_t left = settings->count ? settings->count - tally->runs : UINT64_MAX;
	size = size < 1 ? 1 : size > BATCH_MOST ? BATCH_MOST : size;
	return left < (uint64_t)size ? (unsigned)left : (unsigned)size;
}

static bool target_run(const struct settings *settings, const struct server *server, struct target *target,
                       uint64_t first, struct tally *tally)
{
	double begun = clock_seconds();
	toolkit_choose(settings, target);
	bool good = server_run(server, target, first + tally->runs, batch_size(settings, tally), tally);
	tally->seconds += clock_seconds() - begun;
	return good;
}

static bool target_wanted(const struct settings *settings, const struct target *target, const struct tally *tally)
{
	return target->seed_count && (settings->compilers || !target->compiles) &&
	       (!settings->target || strcmp(settings->target, target->name) == 0) &&
	       (!settings->count || tally->runs < settings->count);
}

/* The target that had the least time, or target_count. */
static unsigned target_next(const struct settings *settings, const struct tally *tallies)
{
	unsigned next = settings->target_count;
	for (unsigned t = 0; t < settings->target_count; t++)
		if (target_wanted(settings, &settings->targets[t], &tallies[t]) &&
		    (next == settings->target_count || tallies[t].seconds < tallies[next].seconds))
			next = t;
	return next;
}

/* Gives the targets equal shares of time until the count or the time is reached. */
static int job_run(const struct settings *settings, unsigned job, const char *folder)
{
	const struct server server = {folder, settings->keep};
	double begun = clock_seconds();
	struct tally *tallies = settings->tallies + (size_t)job * settings->target_count;
	while (settings->count || clock_seconds() - begun < settings->seconds) {
		unsigned next = target_next(settings, tallies);
		if (next == settings->target_count)
			break;
		if (!target_run(settings, &server, &settings->targets[next], settings->first + job * JOB_NUMBERS,
		                &tallies[next]))
			return 2;
	}
	return 0;
}

static int job_start(const struct settings *settings, unsigned job, const char *scratch)
{
	const char *folder = arena_printf(arena, "%s/%u", scratch, job);
	directory_create(folder);
	setenv("TMPDIR", folder, 1);
	setenv("XDG_CACHE_HOME", arena_printf(arena, "%s/cache", scratch), 1);
	near_begin();
	return job_run(settings, job, folder);
}

static int jobs_run(const struct settings *settings, const char *scratch)
{
	int worst = 0;
	fflush(NULL);
	for (unsigned job = 0; job < settings->jobs; job++)
		if (fork() == 0)
			_exit(job_start(settings, job, scratch));
	for (int status; wait(&status) > 0;) {
		int code = WIFEXITED(status) ? WEXITSTATUS(status) : 2;
		worst = code > worst ? code : worst;
	}
	return worst;
}

/* ---- the report ----------------------------------------------------------------------------------- */

static void tally_sum(struct tally *sum, const struct tally *one)
{
	sum->runs += one->runs;
	sum->wrong += one->wrong;
	sum->seconds += one->seconds;
	sum->slowest = one->slowest > sum->slowest ? one->slowest : sum->slowest;
	for (unsigned i = 0; i < CODES_MOST; i++)
		sum->codes[i] += one->codes[i];
}

static void tally_print(const char *name, const struct tally *tally, unsigned jobs)
{
	printf("%-18s %9llu %8.1f %8.2f", name, (unsigned long long)tally->runs,
	       tally->seconds > 0 ? (double)tally->runs * jobs / tally->seconds : 0, tally->slowest);
	for (unsigned i = 0; i < CODES_MOST; i++)
		printf(" %8llu", (unsigned long long)tally->codes[i]);
	printf(" %6llu\n", (unsigned long long)tally->wrong);
}

static uint64_t report(const struct settings *settings)
{
	struct tally all = {0};
	printf("%-18s %9s %8s %8s %8s %8s %8s %8s %8s %8s %6s\n", "target", "mutants", "a second", "most s", "status 0",
	       "1", "2", "3", "4", "other", "wrong");
	for (unsigned t = 0; t < settings->target_count; t++) {
		struct tally sum = {0};
		for (unsigned job = 0; job < settings->jobs; job++)
			tally_sum(&sum, &settings->tallies[job * settings->target_count + t]);
		if (sum.runs)
			tally_print(settings->targets[t].name, &sum, settings->jobs);
		tally_sum(&all, &sum);
	}
	tally_print("all", &all, settings->jobs);
	fflush(stdout);
	return all.wrong;
}

int main(int count, char **arguments)
{
	arena = arena_create();
	struct settings settings = {.first = 1, .seconds = 60, .jobs = 1, .toolkit = getenv("COALESCE_CUDA")};
	char *scratch = mkdtemp(
		arena_strdup(arena, access("/dev/shm", W_OK) == 0 ? "/dev/shm/mutants-XXXXXX" : "/tmp/mutants-XXXXXX"));
	if (!scratch || !options_read(&settings, count, arguments)) {
		fprintf(stderr, "usage: mutants [--count N | --seconds S] [--first NUMBER] [--target NAME] [--jobs N] "
		                "[--keep DIR] "
		                "[--compilers yes] SEEDS.txt\n");
		return 2;
	}
	char *folder = getcwd(NULL, 0);
	settings.small_toolkit = arena_printf(arena, "%s/tests/fuzz/toolkit", folder ? folder : "");
	free(folder);
	setenv("COALESCE_CUDA", settings.small_toolkit, 1);
	if (!seeds_read(arena, settings.seeds, server_make, &settings.targets, &settings.target_count))
		return 2;
	settings.tallies = shared_array((size_t)settings.jobs * settings.target_count, sizeof *settings.tallies);
	for (unsigned t = 0; t < settings.target_count; t++)
		settings.targets[t].tried = shared_array(settings.targets[t].seed_count, sizeof(bool));
	int status = jobs_run(&settings, scratch);
	folder_empty(scratch);
	rmdir(scratch);
	uint64_t wrong = report(&settings);
	arena_release(arena);
	return status ? status : wrong > 0;
}
