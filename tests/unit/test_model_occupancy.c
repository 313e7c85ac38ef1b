/* Occupancy against the CUDA toolkit's own calculator, cuda_occupancy.h, on random kernels for every machine. */
#include "model/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#if defined(__has_include)
#if __has_include(<cuda_occupancy.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wundef"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#define HAVE_ORACLE 1
#endif
#endif

static const struct machine *load(struct arena *arena, const char *name)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct machine *machine = machine_load(arena, name, &diagnostics);
	assert_non_null(machine);
	return machine;
}

/* Worked out by hand from the limits of compute capability 9.0: 64 warps, 32 blocks, 65536 registers in units of 256
 * per warp, 228 KiB. */
static void test_by_hand(void **state)
{
	struct arena *arena = arena_create();
	const struct machine *machine = load(arena, "h200");
	(void)state;
	assert_int_equal(cost_blocks_per_sm(machine, 256, 32, 0), 8);
	assert_int_equal(cost_blocks_per_sm(machine, 32, 32, 0), 32);
	assert_int_equal(cost_blocks_per_sm(machine, 1024, 32, 0), 2);
	assert_int_equal(cost_blocks_per_sm(machine, 2048, 32, 0), 0);
	assert_int_equal(cost_blocks_per_sm(machine, 0, 32, 0), 0);
	assert_int_equal(cost_blocks_per_sm(machine, 256, 64, 0), 4);
	assert_int_equal(cost_blocks_per_sm(machine, 256, 65, 0), 3);
	assert_int_equal(cost_blocks_per_sm(machine, 256, 32, 100 * 1024), 2);
	assert_int_equal(cost_blocks_per_sm(machine, 256, 32, 400 * 1024), 0);
	arena_release(arena);
}

#ifdef HAVE_ORACLE
static unsigned oracle(const struct machine *machine, unsigned threads, unsigned registers, uint64_t shared)
{
	cudaOccDeviceProp properties = {0};
	cudaOccFuncAttributes attributes = {0};
	cudaOccDeviceState device = {0};
	cudaOccResult result = {0};
	properties.computeMajor = (int)machine->capability_major;
	properties.computeMinor = (int)machine->capability_minor;
	properties.maxThreadsPerBlock = 1024;
	properties.maxThreadsPerMultiprocessor = (int)machine->sm_max_warps.value * WARP_LANES;
	properties.regsPerBlock = properties.regsPerMultiprocessor = (int)machine->sm_registers.value;
	properties.warpSize = WARP_LANES;
	properties.sharedMemPerMultiprocessor = (size_t)machine->sm_shared_memory_bytes.value;
	properties.reservedSharedMemPerBlock = (size_t)machine->sm_shared_memory_reserved_per_block_bytes.value;
	properties.sharedMemPerBlock = 48 * 1024;
	properties.sharedMemPerBlockOptin =
		properties.sharedMemPerMultiprocessor - properties.reservedSharedMemPerBlock;
	properties.numSms = (int)machine->sm_count.value;
	attributes.maxThreadsPerBlock = 1024;
	attributes.numRegs = (int)registers;
	attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
	attributes.maxDynamicSharedSizeBytes = properties.sharedMemPerBlockOptin;
	device.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
	cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &device,
	                                                             (int)threads, (size_t)shared);
	return error == CUDA_OCC_SUCCESS ? (unsigned)result.activeBlocksPerMultiprocessor : UINT32_MAX;
}

/* The toolkit lets nothing run on compute capability 6.0 that could not run on 6.1 too; the hardware does. */
static bool refused_for_later_pascal(const struct machine *machine, unsigned blocks)
{
	return machine->capability_major == 6 && machine->capability_minor == 0 && blocks == 0;
}

static unsigned random_below(unsigned *seed, unsigned limit)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % limit;
}

static void test_toolkit_agrees(void **state)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	unsigned count, seed = 1, compared = 0;
	(void)state;
	diagnostics_init(&diagnostics, arena);
	const struct machine **machines = machine_list(arena, &count, &diagnostics);
	for (unsigned i = 0; i < 20000; i++) {
		const struct machine *machine = machines[random_below(&seed, count)];
		unsigned threads = 1 + random_below(&seed, 1024), registers = 1 + random_below(&seed, 255);
		uint64_t shared = random_below(&seed, 3) ? random_below(&seed, 48 * 1024) : 0;
		unsigned expected = oracle(machine, threads, registers, shared);
		if (expected == UINT32_MAX || refused_for_later_pascal(machine, expected))
			continue;
		compared++;
		if (cost_blocks_per_sm(machine, threads, registers, shared) != expected)
			fail_msg("%s, %u threads, %u registers, %llu bytes: %u blocks, the toolkit says %u",
			         machine->id, threads, registers, (unsigned long long)shared,
			         cost_blocks_per_sm(machine, threads, registers, shared), expected);
	}
	assert_true(compared > 10000);
	arena_release(arena);
}
#else
static void test_toolkit_agrees(void **state)
{
	(void)state;
	skip();
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand), cmocka_unit_test(test_toolkit_agrees)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
