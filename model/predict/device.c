/*
 * The GPU that is predicted for, as a program knows it: the machine file's numbers as the runtime gives them, and what
 * the build compiles for.
 */
#include "model/predict/predict.h"

#include <stdlib.h>
#include <string.h>

static int64_t number(const struct quantity *quantity)
{
	return (int64_t)quantity->value;
}

struct analyzer_device predict_device(const struct machine *machine)
{
	return (struct analyzer_device){
		.multiprocessors = number(&machine->sm_count),
		.threads_per_multiprocessor = number(&machine->sm_max_warps) * number(&machine->sm_warp_lanes),
		.shared_bytes_per_block = number(&machine->sm_shared_memory_bytes) -
	                                  number(&machine->sm_shared_memory_reserved_per_block_bytes),
		.shared_bytes_per_multiprocessor = number(&machine->sm_shared_memory_bytes),
		.l2_bytes = number(&machine->l2_size_bytes),
		.memory_bytes = number(&machine->dram_size_bytes),
		.architecture = (int)(10 * machine->capability_major + machine->capability_minor)};
}

/* Whether a word like "arch=compute_80,code=[sm_80,sm_90]" names an architecture by number, and none of them is the one
 * given. */
static bool excludes(const char *word, unsigned architecture)
{
	bool any = false;
	for (const char *next = word; (next = strchr(next, '_')); next++) {
		char *end;
		unsigned long number = strtoul(next + 1, &end, 10);
		if (number == architecture)
			return false;
		any |= end != next + 1;
	}
	return any;
}

void predict_targets_check(const struct machine *machine, const struct predict_options *options,
                           struct diagnostics *diagnostics)
{
	unsigned architecture = 10 * machine->capability_major + machine->capability_minor;
	for (unsigned i = 0; i < options->target_count; i++)
		if (!excludes(options->targets[i], architecture))
			return;
	if (options->target_count)
		diagnostics_report(
			diagnostics, SEVERITY_NOTE, (struct place){NULL, 0, 0},
			"%s is passed over: this is for %s, whose code is that of sm_%u; --machine says for which GPU",
			options->targets[0], machine->name, architecture);
}
