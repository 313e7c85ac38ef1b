/*
 * Occupancy: how many blocks of a kernel are resident on one SM. The smallest of four limits, all from the machine
 * file: block slots, warp slots, registers (handed out per warp in units, from the register file of one of the SM's
 * partitions, one partition per scheduler; a launch is refused unless a block's warps, rounded up to the partitions,
 * fit the whole file) and shared memory (handed out per block in units, with the system's share). It is what the CUDA
 * toolkit's cuda_occupancy.h computes, and the tests compare the two; that header is not used here because a build on a
 * machine without the toolkit must give the same numbers.
 */
#include "model/cost/cost.h"

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return unit ? (value + unit - 1) / unit * unit : value;
}

static unsigned blocks_by_registers(const struct machine *machine, unsigned warps_per_block,
                                    unsigned registers_per_thread)
{
	unsigned partitions = (unsigned)machine->sm_schedulers.value;
	uint64_t lanes = (uint64_t)machine->sm_warp_lanes.value;
	uint64_t per_warp =
		round_up(registers_per_thread * lanes, (uint64_t)machine->sm_register_granularity_per_warp.value);
	if (registers_per_thread > (unsigned)machine->sm_max_registers_per_thread.value)
		return 0;
	if (per_warp == 0)
		return UINT32_MAX;
	if (per_warp * round_up(warps_per_block, partitions) > (uint64_t)machine->sm_registers.value)
		return 0;
	uint64_t warps = (uint64_t)machine->sm_registers.value / partitions / per_warp * partitions;
	return (unsigned)(warps / warps_per_block);
}

static unsigned blocks_by_shared_memory(const struct machine *machine, uint64_t shared_bytes_per_block)
{
	uint64_t reserved = (uint64_t)machine->sm_shared_memory_reserved_per_block_bytes.value;
	uint64_t per_block = round_up(shared_bytes_per_block + reserved,
	                              (uint64_t)machine->sm_shared_memory_granularity_bytes.value);
	return per_block ? (unsigned)((uint64_t)machine->sm_shared_memory_bytes.value / per_block) : UINT32_MAX;
}

unsigned cost_blocks_per_sm(const struct machine *machine, unsigned threads_per_block, unsigned registers_per_thread,
                            uint64_t shared_bytes_per_block)
{
	unsigned lanes = (unsigned)machine->sm_warp_lanes.value;
	unsigned warps_per_block = (threads_per_block + lanes - 1) / lanes;
	if (warps_per_block == 0 || threads_per_block > (unsigned)machine->sm_max_threads_per_block.value)
		return 0;
	unsigned blocks = smaller((unsigned)machine->sm_max_blocks.value,
	                          (unsigned)machine->sm_max_warps.value / warps_per_block);
	blocks = smaller(blocks, blocks_by_registers(machine, warps_per_block, registers_per_thread));
	return smaller(blocks, blocks_by_shared_memory(machine, shared_bytes_per_block));
}
