/*
 * Limits of a launch. Sources: CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute Capability"
 * (grid, block, shared memory of a block) and "Thread Block Clusters" (8 blocks are portable; a Hopper H100 and a B200
 * run 16). Threads of a block and an SM's shared memory are numbers of the machine file.
 */
#include "model/machine/machine.h"

#define SHARED_EVERY_LAUNCH 49152

/* The shared memory of a block that asks for all of it: from 7.0 on an SM's, less what the system reserves. */
static uint64_t shared_opt_in(const struct machine *machine)
{
	double most = machine->sm_shared_memory_bytes.value - machine->sm_shared_memory_reserved_per_block_bytes.value;
	return machine->capability_major >= 7 && most > SHARED_EVERY_LAUNCH ? (uint64_t)most : SHARED_EVERY_LAUNCH;
}

struct machine_limits machine_limits(const struct machine *machine)
{
	unsigned major = machine->capability_major;
	uint32_t threads = (uint32_t)machine->sm_max_threads_per_block.value;
	return (struct machine_limits){.grid = {INT32_MAX, 65535, 65535},
	                               .block = {threads, threads, 64},
	                               .threads_per_block = threads,
	                               .shared_bytes = SHARED_EVERY_LAUNCH,
	                               .shared_opt_in_bytes = shared_opt_in(machine),
	                               .portable_cluster_blocks = major >= 9 ? 8 : 0,
	                               .cluster_blocks = major == 9 || major == 10 ? 16
	                                                 : major > 10              ? 8
	                                                                           : 0};
}
