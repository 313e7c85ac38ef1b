/*
 * coalesce measure FILE.cu -o FILE.json: bundle, build and run, where a GPU is.
 */
#include "base/toolkit/toolkit.h"
#include "cli/cli.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NVCC_LIMIT_SECONDS 600.0

const char *cli_gpu_missing(void)
{
	typedef int init_function(unsigned flags);
	typedef int count_function(int *count);
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	init_function *init;
	count_function *get_count;
	int count = 0;
	if (!driver)
		return "the NVIDIA driver (libcuda.so.1) is not installed";
	*(void **)&init = dlsym(driver, "cuInit");
	*(void **)&get_count = dlsym(driver, "cuDeviceGetCount");
	bool usable = init && get_count && init(0) == 0 && get_count(&count) == 0;
	dlclose(driver);
	return !usable ? "the NVIDIA driver does not start" : count == 0 ? "the NVIDIA driver finds none" : NULL;
}

/* Of nvcc, which builds the whole program: no limit of memory without --limit-memory. */
static struct process_limits build_limits(const struct command_line *line)
{
	struct process_limits limits = {0};
	options_limits(line, &limits);
	return (struct process_limits){.seconds = limits.seconds > 0 ? limits.seconds : NVCC_LIMIT_SECONDS,
	                               .bytes = limits.bytes};
}

static bool program_build(struct arena *arena, const struct command_line *line, const struct bundle *bundle,
                          const char *folder)
{
	struct toolkit toolkit = toolkit_find(arena);
	const char **arguments = NULL;
	unsigned count = 0;
	const char *fixed[] = {toolkit.nvcc, "-O3", "-lineinfo", "-w", arena_printf(arena, "-arch=%s", bundle->target)};
	for (size_t i = 0; i < ARRAY_COUNT(fixed); i++)
		ARENA_PUSH(arena, arguments, count, fixed[i]);
	for (unsigned i = 0; i < bundle->flag_count; i++)
		ARENA_PUSH(arena, arguments, count, bundle->flags[i]);
	const char *rest[] = {"-o", "measure", "measure.cu", NULL};
	for (size_t i = 0; i < ARRAY_COUNT(rest); i++)
		ARENA_PUSH(arena, arguments, count, rest[i]);
	struct process_result run = process_run_limited(arena, &(struct process_request){.argv = arguments,
	                                                                                 .directory = folder,
	                                                                                 .temporary = folder,
	                                                                                 .limits = build_limits(line)});
	if (run.status != 0)
		cli_error("nvcc cannot build the measuring program: %s",
		          run.timed_out    ? "it took more processor time than --limit-seconds allows"
		          : run.status < 0 ? strerror(run.error)
		                           : run.err);
	return run.status == 0;
}

/* Becomes the measuring program, with its output in a file. */
static void program_become(const char *const *arguments, const char *output)
{
	int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (file < 0 || dup2(file, STDOUT_FILENO) < 0)
		_exit(126);
	ending_usual_signals();
	execv(arguments[0], (char *const *)arguments);
	_exit(127);
}

/* Runs the program, whose progress goes to our own stderr. Returns its exit status, 128 + signal, or -1. */
static int program_run(struct arena *arena, const struct command_line *line, const char *folder, const char *output)
{
	const char *arguments[5] = {arena_printf(arena, "%s/measure", folder)};
	unsigned count = 1;
	int status;
	if (line->quick.count)
		arguments[count++] = "--quick";
	if (line->limit.count) {
		arguments[count++] = "--limit";
		arguments[count++] = option_text(&line->limit, NULL);
	}
	pid_t child = process_fork();
	if (child == 0)
		program_become(arguments, output);
	ending_add_child(child, ENDING_CHILD);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	ending_drop_child(child);
	if (child < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static enum exit_code results_take(struct arena *arena, const struct command_line *line, const char *from,
                                   const char *to)
{
	struct diagnostics diagnostics;
	size_t length = 0;
	diagnostics_init(&diagnostics, arena);
	const char *text = measure_load(arena, from, &diagnostics) ? file_read(arena, from, &length) : NULL;
	cli_diagnostics(&diagnostics, line, text ? EXIT_VERDICT : EXIT_BUG);
	if (!text)
		return EXIT_BUG;
	return cli_file_save(to, text, length) ? EXIT_VERDICT : EXIT_INPUT;
}

static enum exit_code measure_in(struct arena *arena, const struct command_line *line, const char *folder,
                                 const struct bundle *bundle)
{
	const char *results = arena_printf(arena, "%s/measure.json", folder);
	if (!cli_bundle_save(arena, bundle, folder) || !program_build(arena, line, bundle, folder))
		return EXIT_INPUT;
	int status = program_run(arena, line, folder, results);
	if (status == 0)
		return results_take(arena, line, results, option_text(&line->output, NULL));
	if (status != EXIT_INPUT && status != EXIT_USAGE && status != EXIT_TOOL_MISSING)
		cli_error("the measuring program ended with status %d", status);
	return status == EXIT_TOOL_MISSING ? EXIT_TOOL_MISSING : EXIT_INPUT;
}

enum exit_code command_measure(struct arena *arena, const struct command_line *line)
{
	const char *limit = option_text(&line->limit, "0");
	char *end;
	enum exit_code code;
	if (!line->file || !line->output.count)
		return cli_usage_error("measure needs a file and -o FILE.json");
	if (!(strtod(limit, &end) >= 0) || *end)
		return cli_usage_error("--limit takes a number of seconds, not '%s'", limit);
	const char *missing = cli_gpu_missing();
	const struct bundle *bundle = cli_bundle_make(arena, line, option_text(&line->id, NULL), &code);
	if (!bundle)
		return code;
	if (missing) {
		cli_error("no GPU to measure on: %s; `coalesce bundle` writes the program for a machine that has one",
		          missing);
		return EXIT_TOOL_MISSING;
	}
	char *folder = directory_temporary(arena);
	if (!folder) {
		cli_error("no temporary folder: %s", strerror(errno));
		return EXIT_INPUT;
	}
	code = measure_in(arena, line, folder, bundle);
	directory_remove(folder);
	return code;
}
