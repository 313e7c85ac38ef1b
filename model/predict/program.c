/*
 * The program itself, where it is to be observed: --observe runs it, --observation keeps what was seen, or takes it
 * from there.
 */
#include "model/observe/observe.h"
#include "model/predict/predict.h"

enum exit_code predict_program_observe(struct arena *arena, const struct predict_options *options,
                                       struct observe_request *request, const struct observation **observation,
                                       struct diagnostics *diagnostics)
{
	if (!options->observe && !options->observation)
		return EXIT_VERDICT;
	request->path = options->analyzer.path;
	request->others = options->analyzer.others;
	request->other_count = options->analyzer.other_count;
	request->arguments = options->analyzer.arguments;
	request->argument_count = options->analyzer.argument_count;
	request->build_flags = options->build_flags;
	request->build_flag_count = options->build_flag_count;
	request->limits = options->analyzer.limits;
	request->kernel_seconds = options->kernel_seconds;
	request->store = options->observation;
	*observation = options->observe ? observe_program(arena, request, diagnostics)
	                                : observe_read(arena, options->observation, diagnostics);
	return *observation ? EXIT_VERDICT : EXIT_INPUT;
}
