/*
 * A unit cut into programs that are compiled at the same time. NVRTC's compilations do not disturb each other; what
 * each gives is read in its thread too, in an arena of the thread's own, which lives as long as the caller's.
 */
#include "model/compile/compile.h"

#include "base/threads/threads.h"

#include <math.h>
#include <string.h>

struct job {
	struct arena *arena;
	const struct nvrtc *nvrtc;
	struct compile_request request;
	struct diagnostics diagnostics;
	struct compilation *compilation;
	const char *refusal;
	bool exceeded;         /* a limit: the refusal says which */
	struct duration spent; /* by NVRTC */
};

static void job_run(void *context, unsigned index)
{
	struct job *job = (struct job *)context + index;
	struct compile_output output = compile_nvrtc(job->arena, job->nvrtc, &job->request);

	job->spent = output.time.spent;
	job->exceeded = output.exceeded;
	if (output.failed)
		job->refusal = compile_first_error(job->arena, output.messages);
	else
		job->compilation = compile_output_read(job->arena, &job->request, &output, &job->diagnostics);
	if (job->compilation)
		job->compilation->compiler = "nvrtc";
}

static struct job *jobs_make(struct arena *arena, const struct compile_request *request,
                             const struct compile_program *programs, unsigned count)
{
	struct job *jobs = arena_array(arena, count, sizeof *jobs);

	for (unsigned j = 0; j < count; j++) {
		jobs[j].arena = arena_create_within(arena);
		jobs[j].request = *request;
		jobs[j].request.text = programs[j].text;
		jobs[j].request.instances = programs[j].instances;
		jobs[j].request.instance_count = programs[j].instance_count;
		diagnostics_init(&jobs[j].diagnostics, jobs[j].arena);
	}
	return jobs;
}

/* What jobs spent that so many threads ran. Wall time is that of the longest, or an equal share of all. */
static struct tool_time jobs_time(const struct job *jobs, unsigned count, unsigned threads, double elsewhere)
{
	struct tool_time time = {.elsewhere = elsewhere};
	double all = 0;

	for (unsigned j = 0; j < count; j++) {
		time.spent.processor += jobs[j].spent.processor;
		time.elsewhere += jobs[j].spent.processor;
		time.spent.wall = fmax(time.spent.wall, jobs[j].spent.wall);
		all += jobs[j].spent.wall;
	}
	time.spent.wall = fmax(time.spent.wall, all / threads);
	return time;
}

/* Whether one of the first jobs says the same: what is said once of a whole is said once of its parts. */
static bool said_before(const struct job *jobs, unsigned count, const struct diagnostic *message)
{
	for (unsigned j = 0; j < count; j++)
		for (size_t i = 0; i < jobs[j].diagnostics.count; i++)
			if (strcmp(jobs[j].diagnostics.list[i].message, message->message) == 0)
				return true;
	return false;
}

static void messages_take(const struct job *jobs, unsigned j, struct diagnostics *diagnostics)
{
	for (size_t i = 0; i < jobs[j].diagnostics.count; i++) {
		const struct diagnostic *message = &jobs[j].diagnostics.list[i];

		if (!said_before(jobs, j, message))
			diagnostics_report(diagnostics, message->severity, message->place, "%s", message->message);
	}
}

/* Reports a limit that a job reached; whether one did. */
static bool jobs_exceeded(const struct job *jobs, unsigned count, struct diagnostics *diagnostics)
{
	for (unsigned j = 0; j < count; j++)
		if (jobs[j].exceeded) {
			diagnostics_report(diagnostics, SEVERITY_ERROR,
			                   (struct place){jobs[j].request.source_path, 0, 0}, "%s",
			                   jobs[j].refusal + strlen("error: "));
			return true;
		}
	return false;
}

/* The jobs' results; NULL, and why, where one has none. */
static struct compilation **jobs_take(struct arena *arena, const struct job *jobs, unsigned count, const char **refusal,
                                      struct diagnostics *diagnostics)
{
	struct compilation **compilations = arena_array(arena, count, sizeof(struct compilation *));

	for (unsigned j = 0; j < count; j++) {
		compilations[j] = jobs[j].compilation;
		if (!compilations[j]) {
			*refusal = jobs[j].refusal ? jobs[j].refusal : "its PTX could not be read";
			return NULL;
		}
	}
	for (unsigned j = 0; j < count; j++)
		messages_take(jobs, j, diagnostics);
	return compilations;
}

struct compilation **compile_programs(struct arena *arena, const struct compile_request *request,
                                      const struct compile_program *programs, unsigned count, unsigned threads,
                                      const char **refusal, struct tool_time *time, struct diagnostics *diagnostics)
{
	struct job *jobs = jobs_make(arena, request, programs, count);
	const struct nvrtc *nvrtc = NULL;

	for (unsigned j = 0; j < count; j++) {
		nvrtc = compile_nvrtc_wanted(&jobs[j].request, refusal, time);
		if (!nvrtc)
			return NULL;
	}
	for (unsigned j = 0; j < count; j++)
		jobs[j].nvrtc = nvrtc;
	*time = clock_tools_sum(*time, jobs_time(jobs, count, threads, threads_run(threads, count, job_run, jobs)));
	if (request->exceeded && jobs_exceeded(jobs, count, diagnostics))
		*request->exceeded = true;
	return jobs_take(arena, jobs, count, refusal, diagnostics);
}
