/*
 * What a launch has of the L1: the driver gives shared memory a part of it, in steps, before the launch begins.
 *
 *   needed = resident blocks * (shared memory of a block + what the system keeps of each)
 *   wanted = twice the blocks that there can be by threads and registers, as above, but at most l1.shared_unneeded_bytes in all
 *   lines  = l1.lines at the least step that the larger one fits
 *
 * Blocks of all threads that a block can have want no more than they need. Those without shared memory are given as if they had 1 KB (l1.shared_none_bytes), at most l1.shared_none_most_bytes in all. So it was for 351 pairs of 13 sizes of
 * blocks and 27 of shared memory, all of them (benchmarks/operands/replaced.cu, driver 580 on an H100). Where registers keep blocks out, what the driver wants is assumed to be twice those that they leave. GPUs whose lines were not counted:
 * what resident blocks need, byte by byte.
 *
 * A load that misses keeps a line until it comes back, so that no more of them are on their way than the L1 has lines, l1_size less the step: with 60 and 28 KB of it 480 and 256 loads go before one waits, with more of it 512 (benchmarks/operands/waiting.cu,
 * 32 warps of so many loads each).
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

double full_l1_bytes(const struct full_machine *machine, const struct machine *numbers, unsigned threads, unsigned registers,
                     uint64_t shared, double *lines)
{
	double reserved = numbers->sm_shared_memory_reserved_per_block_bytes.value;
	double needed = cost_blocks_per_sm(numbers, threads, registers, shared) * ((double)shared + reserved);
	if (!machine->l1_lines) {
		*lines = fmax(LEAST_LINES,
		              (machine->l1_bytes - fmax(0, needed - (machine->l1_size - machine->l1_bytes))) / LINE_BYTES);
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
