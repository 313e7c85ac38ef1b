/*
 * coalesce calibrate: runs the microbenchmarks of benchmarks/calibrate on the GPU that is here, and makes a machine
 * file of what they measure (-o FILE); or makes one of results from another machine (--from RESULTS.json -o FILE), for
 * which it writes the microbenchmarks into a folder (--bundle DIR). A second --from, of another card, is compared with
 * the first.
 */
#include "base/toolkit/toolkit.h"
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NVCC_LIMIT_SECONDS 3600.0 /* of processor time, on all cores */

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);
	return length > tail && strcmp(text + length - tail, end) == 0;
}

/* The folder of the microbenchmarks: beside the program's own, installed, or in the source tree. NULL where there is
 * none. */
static const char *sources_folder(struct arena *arena)
{
	const char *own = program_directory(arena);
	const char *folders[4] = {NULL};
	unsigned count = 0;
	if (own) {
		folders[count++] = arena_printf(arena, "%s/../benchmarks/calibrate", own);
		folders[count++] = arena_printf(arena, "%s/../share/coalesce/calibrate", own);
	}
	folders[count++] = COALESCE_DATA_DIR "/benchmarks/calibrate";
	folders[count++] = COALESCE_DATA_DIR "/calibrate";
	for (unsigned i = 0; i < count; i++)
		if (file_exists(arena_printf(arena, "%s/calibrate.cu", folders[i])))
			return folders[i];
	cli_error("the microbenchmarks (benchmarks/calibrate) are not installed");
	return NULL;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the files with one of two endings in a folder, sorted. */
static const char **files_of(struct arena *arena, const char *folder, const char *first, const char *second,
                             unsigned *count)
{
	const char **names = NULL;
	DIR *directory = opendir(folder);
	*count = 0;
	for (struct dirent *entry; directory && (entry = readdir(directory));)
		if (ends_with(entry->d_name, first) || ends_with(entry->d_name, second))
			ARENA_PUSH(arena, names, *count, arena_strdup(arena, entry->d_name));
	if (directory)
		closedir(directory);
	if (*count)
		qsort(names, *count, sizeof *names, compare_texts);
	return names;
}

/* ---- --from -------------------------------------------------------------------------------------- */

/* other: results of another card to compare with, or NULL. */
static enum exit_code machine_file_make(struct arena *arena, const struct command_line *line, const char *results,
                                        const char *other)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const char *text = machine_calibrate(arena, results, other, option_text(&line->machine, NULL), &diagnostics);
	cli_diagnostics(&diagnostics, line, text ? EXIT_VERDICT : EXIT_INPUT);
	if (!text)
		return EXIT_INPUT;
	return cli_file_save(option_text(&line->output, NULL), text, strlen(text)) ? EXIT_VERDICT : EXIT_INPUT;
}

/* ---- --bundle -------------------------------------------------------------------------------------- */

static const char makefile[] = "# The calibration program: needs nvcc here and a GPU where it runs.\n"
			       "NVCC ?= nvcc\n"
			       "ARCH ?= native\n\n"
			       "results.json: calibrate\n"
			       "\t./calibrate -o $@\n\n"
			       "calibrate: $(wildcard *.cu) $(wildcard *.h)\n"
			       "\t$(NVCC) -O3 -std=c++17 --threads 0 -arch=$(ARCH) -o $@ $(wildcard *.cu)\n";

static enum exit_code sources_write(struct arena *arena, const char *folder)
{
	const char *from = sources_folder(arena);
	unsigned count;
	if (!from)
		return EXIT_TOOL_MISSING;
	if (directory_create(folder) != 0) {
		cli_error("cannot make %s: %s", folder, strerror(errno));
		return EXIT_INPUT;
	}
	const char **names = files_of(arena, from, ".cu", ".h", &count);
	for (unsigned i = 0; i < count; i++) {
		size_t length = 0;
		const char *text = file_read(arena, arena_printf(arena, "%s/%s", from, names[i]), &length);
		if (!cli_file_save(arena_printf(arena, "%s/%s", folder, names[i]), text, length))
			return EXIT_INPUT;
	}
	return cli_file_save(arena_printf(arena, "%s/Makefile", folder), makefile, strlen(makefile)) ? EXIT_VERDICT
	                                                                                             : EXIT_INPUT;
}

/* ---- on the GPU that is here -------------------------------------------------------------------------- */

static bool program_build(struct arena *arena, const char *from, const char *folder, const char *program)
{
	struct toolkit toolkit = toolkit_find(arena);
	const char **arguments = NULL;
	unsigned count = 0, names_count;
	if (toolkit.reason) {
		cli_error("%s", toolkit.reason);
		return false;
	}
	const char **names = files_of(arena, from, ".cu", ".cu", &names_count);
	const char *fixed[] = {toolkit.nvcc, "-O3", "-std=c++17", "--threads", "0", "-arch=native", "-o", program};
	for (size_t i = 0; i < ARRAY_COUNT(fixed); i++)
		ARENA_PUSH(arena, arguments, count, fixed[i]);
	for (unsigned i = 0; i < names_count; i++)
		ARENA_PUSH(arena, arguments, count, names[i]);
	ARENA_PUSH(arena, arguments, count, NULL);
	fprintf(stderr, "building the microbenchmarks\n");
	struct process_result built =
		process_run_limited(arena, &(struct process_request){.argv = arguments,
	                                                             .directory = from,
	                                                             .temporary = folder,
	                                                             .limits = {.seconds = NVCC_LIMIT_SECONDS}});
	if (built.status != 0)
		cli_error("nvcc cannot build the microbenchmarks: %s", built.timed_out    ? "it takes too long"
		                                                       : built.status < 0 ? strerror(built.error)
		                                                                          : built.err);
	return built.status == 0;
}

/* Runs the program with its progress on our own stderr. Returns its exit status, or -1. */
static int program_run(const char *program, const char *results)
{
	int status;
	pid_t child = process_fork();
	if (child == 0) {
		ending_usual_signals();
		execl(program, program, "-o", results, (char *)NULL);
		_exit(127);
	}
	ending_add_child(child, ENDING_CHILD);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	ending_drop_child(child);
	return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static enum exit_code measure_here(struct arena *arena, const struct command_line *line, const char *folder)
{
	const char *from = sources_folder(arena), *program = arena_printf(arena, "%s/calibrate", folder);
	const char *results = arena_printf(arena, "%s/results.json", folder);
	if (!from || !program_build(arena, from, folder, program))
		return EXIT_TOOL_MISSING;
	int status = program_run(program, results);
	if (status != 0)
		cli_error("the microbenchmarks did not all run (status %d)", status);
	if (!file_exists(results)) {
		cli_error("nothing measured; `coalesce calibrate --bundle DIR` writes the program for a machine "
		          "that has a GPU");
		return EXIT_TOOL_MISSING;
	}
	return machine_file_make(arena, line, results, NULL);
}

static enum exit_code calibrate_here(struct arena *arena, const struct command_line *line)
{
	const char *missing = cli_gpu_missing();
	if (missing) {
		cli_error("no GPU to calibrate: %s; `coalesce calibrate --bundle DIR` writes the program for a machine "
		          "that has one",
		          missing);
		return EXIT_TOOL_MISSING;
	}
	char *folder = directory_temporary(arena);
	if (!folder) {
		cli_error("no temporary folder: %s", strerror(errno));
		return EXIT_INPUT;
	}
	enum exit_code code = measure_here(arena, line, folder);
	directory_remove(folder);
	return code;
}

enum exit_code command_calibrate(struct arena *arena, const struct command_line *line)
{
	if (line->bundle_folder.count)
		return sources_write(arena, option_text(&line->bundle_folder, NULL));
	if (!line->output.count)
		return cli_usage_error("calibrate needs -o FILE, or --bundle DIR");
	if (line->from.count > 2)
		return cli_usage_error(
			"--from is given %u times; the second is to compare the first with, and there is no third",
			line->from.count);
	if (line->from.count)
		return machine_file_make(arena, line, line->from.list[0],
		                         line->from.count > 1 ? line->from.list[1] : NULL);
	return calibrate_here(arena, line);
}
