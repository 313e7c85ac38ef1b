/*
 * libclang in the process that runs the cases, as analyzer.h offers it to sanitizers: a child for each case costs more than
 * the case. A case that ends the process is repeated with the child, and so judged as the program behaves. The linker lets
 * every call of analyze_file() come here (--wrap).
 */
#include "mutants.h"

#include "analyzer/analyzer.h"

static bool is_near;

struct analysis *__real_analyze_file(struct arena *arena, const struct analyzer_options *options, struct diagnostics *diagnostics);
struct analysis *__wrap_analyze_file(struct arena *arena, const struct analyzer_options *options, struct diagnostics *diagnostics);

struct analysis *__wrap_analyze_file(struct arena *arena, const struct analyzer_options *options, struct diagnostics *diagnostics)
{
	struct analyzer_options here = *options;
	here.in_process = options->in_process || is_near;
	return __real_analyze_file(arena, &here, diagnostics);
}

void near_set(bool near)
{
	is_near = near;
}
