/*
 * Occupancy: how many blocks of a kernel are resident on one SM, by the CUDA toolkit's own calculator (cuda_occupancy.h),
 * fed with the limits of the machine file. A build without the toolkit's headers has no calculator; then only the limits on
 * threads and blocks are applied, which is an upper bound.
 */
#include "model/model.h"

#if defined(__has_include)
#if __has_include(<cuda_occupancy.h>)
#define HAVE_CUDA_OCCUPANCY 1
#endif
#endif

static unsigned blocks_by_warps(const struct machine *machine, unsigned threads)
{
	unsigned warps = (threads + WARP_LANES - 1) / WARP_LANES;
	unsigned by_warps = (unsigned)machine->sm_max_warps.value / (warps ? warps : 1);
	unsigned limit = (unsigned)machine->sm_max_blocks.value;
	return by_warps < limit ? by_warps : limit;
}

#ifdef HAVE_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wpragmas"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop

static cudaOccDeviceProp device_properties(const struct machine *machine)
{
	cudaOccDeviceProp properties = {0};
	properties.computeMajor = (int)machine->capability_major;
	properties.computeMinor = (int)machine->capability_minor;
	properties.maxThreadsPerBlock = 1024;
	properties.maxThreadsPerMultiprocessor = (int)machine->sm_max_warps.value * WARP_LANES;
	properties.regsPerBlock = (int)machine->sm_registers.value;
	properties.regsPerMultiprocessor = (int)machine->sm_registers.value;
	properties.warpSize = WARP_LANES;
	properties.sharedMemPerMultiprocessor = (size_t)machine->sm_shared_memory_bytes.value;
	properties.reservedSharedMemPerBlock = (size_t)machine->sm_shared_memory_reserved_per_block_bytes.value;
	properties.sharedMemPerBlock = 48 * 1024;
	properties.sharedMemPerBlockOptin = properties.sharedMemPerMultiprocessor - properties.reservedSharedMemPerBlock;
	properties.numSms = (int)machine->sm_count.value;
	return properties;
}

unsigned occupancy_blocks_per_sm(const struct machine *machine, unsigned threads_per_block, unsigned registers_per_thread,
                                 uint64_t shared_bytes_per_block)
{
	cudaOccDeviceProp properties = device_properties(machine);
	cudaOccFuncAttributes attributes = {0};
	cudaOccDeviceState state = {0};
	cudaOccResult result = {0};
	attributes.maxThreadsPerBlock = 1024;
	attributes.numRegs = (int)registers_per_thread;
	attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
	attributes.maxDynamicSharedSizeBytes = properties.sharedMemPerBlockOptin;
	state.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT;
	cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
	                                                             (int)threads_per_block, (size_t)shared_bytes_per_block);
	if (error == CUDA_OCC_ERROR_UNKNOWN_DEVICE)
		return blocks_by_warps(machine, threads_per_block);
	return error == CUDA_OCC_SUCCESS && result.activeBlocksPerMultiprocessor > 0
	               ? (unsigned)result.activeBlocksPerMultiprocessor
	               : 0;
}
#else
unsigned occupancy_blocks_per_sm(const struct machine *machine, unsigned threads_per_block, unsigned registers_per_thread,
                                 uint64_t shared_bytes_per_block)
{
	(void)registers_per_thread;
	(void)shared_bytes_per_block;
	return threads_per_block > 1024 ? 0 : blocks_by_warps(machine, threads_per_block);
}
#endif
