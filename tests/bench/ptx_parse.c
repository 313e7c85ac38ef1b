/*
 * Parses one file of PTX some times over and prints the best speed, the memory of the result, and the time of analysing
 * its control flow. Called by ptx_parse.py.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "ptxparse/ptxparse.h"

struct figures {
	double parse_seconds, analyse_seconds;
	size_t bytes, functions, insns;
};

static void keep_best(double *best, double seconds)
{
	if (*best == 0 || seconds < *best)
		*best = seconds;
}

static bool measure(const char *path, const char *text, size_t length, struct figures *figures)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	double start = clock_seconds();
	struct ptx_module *module;
	diagnostics_init(&diagnostics, arena);
	module = ptx_parse(arena, path, text, length, &diagnostics);
	keep_best(&figures->parse_seconds, clock_seconds() - start);
	figures->bytes = arena_bytes(arena);
	figures->functions = figures->insns = 0;
	start = clock_seconds();
	for (size_t i = 0; module && i < module->function_count; i++) {
		figures->functions += module->functions[i].has_body;
		figures->insns += module->functions[i].insn_count;
		if (module->functions[i].has_body)
			ptx_function_analyse(arena, &module->functions[i]);
	}
	keep_best(&figures->analyse_seconds, clock_seconds() - start);
	diagnostics_print(&diagnostics, 0, SEVERITY_NOTE, stderr);
	arena_release(arena);
	return module != NULL && diagnostics.count == 0;
}

int main(int count, char **arguments)
{
	struct arena *arena = arena_create();
	struct figures figures = {0};
	struct rusage usage;
	size_t length = 0;
	const char *text = count == 3 ? file_read(arena, arguments[1], &length) : NULL;
	if (!text)
		return EXIT_FAILURE;
	for (int i = 0; i < atoi(arguments[2]); i++)
		if (!measure(arguments[1], text, length, &figures))
			return EXIT_FAILURE;
	getrusage(RUSAGE_SELF, &usage);
	printf("parse: %.1f MB/s (%.3f s for %.1f MB, %zu functions, %zu instructions)\n",
	       (double)length / 1e6 / figures.parse_seconds, figures.parse_seconds, (double)length / 1e6,
	       figures.functions, figures.insns);
	printf("memory: %.2f times the file (module), %.2f (highest resident set of the process, text included)\n",
	       (double)figures.bytes / (double)length, (double)usage.ru_maxrss * 1024 / (double)length);
	printf("control flow: %.3f s\n", figures.analyse_seconds);
	arena_release(arena);
	return EXIT_SUCCESS;
}
