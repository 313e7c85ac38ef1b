/*
 * How many lines the L1 has for a launch: the driver gives shared memory a part, in steps.
 *
 *   needed = resident blocks * (shared memory of a block + the system's part)
 *   wanted = twice the blocks that threads and registers allow, at most l1.shared_unneeded_bytes
 *   lines  = l1.lines at the least step that holds the larger one
 *
 * Blocks of the most threads want what they need. Blocks without shared memory count as
 * l1.shared_none_bytes. No more loads can be under way than there are lines. GPUs whose lines
 * nobody counted: what resident blocks need, byte by byte. Assumed: registers limit blocks as
 * threads do.
 */
#include "model/cost/full/run.h"
#include "model/cost/cost.h"

#include <math.h>

#define LEAST_LINES 64.0

/* The step that shared memory of so many bytes is given. */
static unsigned step_of(const struct machine_table *lines, double bytes)
{
	unsigned place = 0;
	while (place + 1 < lines->count && lines->at[place] < bytes)
		place++;
	return place;
}

double full_l1_bytes(const struct full_machine *machine, const struct machine *numbers, unsigned threads,
                     unsigned registers, uint64_t shared, double *lines)
{
	double reserved = numbers->sm_shared_memory_reserved_per_block_bytes.value;
	double needed = cost_blocks_per_sm(numbers, threads, registers, shared) * ((double)shared + reserved);
	if (!machine->l1_lines) {
		*lines = fmax(LEAST_LINES,
		              (machine->l1_bytes - fmax(0, needed - (machine->l1_size - machine->l1_bytes))) /
		                      LINE_BYTES);
		return LINE_BYTES * *lines;
	}
	double fold = threads < numbers->sm_max_threads_per_block.value ? 2 : 1;
	double blocks = fmin(numbers->sm_max_blocks.value, fold * cost_blocks_per_sm(numbers, threads, registers, 0));
	double wanted = fmin(blocks * (fmax((double)shared, machine->shared_none) + reserved),
	                     shared ? machine->shared_unneeded : machine->shared_none_most);
	const unsigned step = step_of(machine->l1_lines, fmax(shared ? needed : 0, wanted));
	*lines = (machine->l1_size - machine->l1_lines->at[step]) / LINE_BYTES;
	return LINE_BYTES * machine->l1_lines->value[step];
}
