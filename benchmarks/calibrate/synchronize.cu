/*
 * Barriers and atomics.
 *
 * Barrier: all warps of a block go through a row of barriers; cycles per barrier, by the number of warps. Atomics: latency of a chain in
 * which each operand is the value the one before returned; throughput of all SMs by where lanes, warps and rounds point.
 */
#include "kernels.h"

#include <algorithm>

/* ---- barrier ------------------------------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(1024) barriers(span *spans, int rounds)
{
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < rounds; i++)
#pragma unroll
			for (int k = 0; k < 16; k++)
				__syncthreads();
	}
	span_write(spans, start, cycle_counter());
}

static void measure_barriers()
{
	std::vector<double> at = {1, 2, 4, 8, 16, 32};
	std::vector<samples> values;
	int rounds = run.quick ? 4 : 64;
	for (double warps : at) {
		samples cycles = measure_cycles(sm_count(), (int)warps, [=](span *spans) {
			barriers<<<sm_count(), (int)warps * 32>>>(spans, rounds);
		});
		values.push_back(transform(cycles, [=](double value) { return value / (rounds * 16); }));
		if (warps == 8)
			record("latency.barrier_cycles", "cycles", values.back(),
			       "__syncthreads() after __syncthreads(), 8 warps, nothing else on the SM");
	}
	record_table("barrier.cycles", "cycles", "warps", at, values,
	             "__syncthreads() after __syncthreads(), one block per SM");
}

/* ---- latency of atomics --------------------------------------------------------------------------------------- */

template <path PATH> static __device__ __forceinline__ unsigned atomic_add_returning(address_t a, unsigned value)
{
	unsigned old;
	if constexpr (PATH == PATH_SHARED)
		asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"((unsigned)a), "r"(value) : "memory");
	else
		asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(a), "r"(value) : "memory");
	return old;
}

/*
 * Each block at one place of its own after the other, PLACE_BYTES apart: near and far in the L2. lane_bytes is 0; an address that depends on the
 * lane keeps the compiler from adding up the warp's operands first.
 */
#define PLACE_BYTES 4224
#define STEPS_PER_PLACE 64

template <path PATH>
static __global__ void __launch_bounds__(32)
	atomic_chain(span *spans, char *memory, unsigned lane_bytes, unsigned *sink, int places)
{
	__shared__ unsigned word;
	address_t a = (address_t)memory + (address_t)blockIdx.x * places * PLACE_BYTES;
	unsigned value = 1;
	word = 0;
	__syncthreads();
	if constexpr (PATH == PATH_SHARED)
		a = shared_address(&word);
	a += threadIdx.x * lane_bytes;
	long long start = cycle_counter();
#pragma unroll 1
	for (int place = 0; place < places; place++) {
#pragma unroll 1
		for (int i = 0; i < STEPS_PER_PLACE; i += 8)
#pragma unroll
			for (int k = 0; k < 8; k++)
				value = atomic_add_returning<PATH>(a, value);
		if constexpr (PATH != PATH_SHARED)
			a += PLACE_BYTES;
	}
	if (value == NEVER)
		return;
	span_write(spans, start, cycle_counter());
	*sink = value;
}

static void measure_atomic_latency()
{
	const int places = run.quick ? 16 : 64;
	buffer memory((size_t)sm_count() * places * PLACE_BYTES), sink(4);
	auto per_step = [=](double cycles) { return cycles / (places * STEPS_PER_PLACE); };
	samples global = measure_cycles(sm_count(), 1, [&](span *spans) {
		atomic_chain<PATH_L2><<<sm_count(), 1>>>(spans, memory.data, 0, sink.as<unsigned>(), places);
	});
	record("latency.atomic_global_cycles", "cycles", transform(global, per_step),
	       format("one thread of every SM, %d places of its own each, near and far in the L2: mean over the places, "
	              "median over the SMs; atom.global.add.u32 chain, each operand what the one before returned",
	              places));
	samples shared = measure_cycles(1, 1, [&](span *spans) {
		atomic_chain<PATH_SHARED><<<1, 1>>>(spans, memory.data, 0, sink.as<unsigned>(), places);
	});
	record("latency.atomic_shared_cycles", "cycles", transform(shared, per_step),
	       "one thread, atom.shared.add.u32 chain");
}

/* ---- throughput of atomics --------------------------------------------------------------------------------------- */

enum kind { RED_U32, RED_F32, ATOM_U32, RED_SHARED };

template <kind KIND> static __device__ __forceinline__ void add_one(address_t a, unsigned value, unsigned &sum)
{
	if constexpr (KIND == RED_U32)
		asm volatile("red.global.add.u32 [%0], %1;" ::"l"(a), "r"(value) : "memory");
	else if constexpr (KIND == RED_F32)
		asm volatile("red.global.add.f32 [%0], %1;" ::"l"(a), "f"((float)value) : "memory");
	else if constexpr (KIND == RED_SHARED)
		asm volatile("red.shared.add.u32 [%0], %1;" ::"r"((unsigned)a), "r"(value) : "memory");
	else
		sum |= atomic_add_returning<PATH_L2>(a, value) & 0x7fffffffu;
}

/* Bytes from lane to lane, warp to warp and round to round; places wrap at size, a power of two. */
struct spread {
	const char *name;
	unsigned lane, warp, round;
	int rounds;
};
static const spread spreads[] = {{"same_address", 0, 0, 0, 64},
                                 {"address_per_warp", 0, 128, 128 * 1021, 2048},
                                 {"neighbouring_words", 4, 128, 128 * 1021, 4096},
                                 {"line_per_lane", 128, 4096, 4096 * 1021, 2048}};

#define THREADS 256

template <kind KIND>
static __global__ void __launch_bounds__(THREADS)
	add_everywhere(char *memory, unsigned size, spread where, unsigned *sink)
{
	unsigned warp = blockIdx.x * (THREADS / 32) + threadIdx.x / 32, sum = 0;
	unsigned place = warp * where.warp;
	address_t lane = (address_t)memory + threadIdx.x % 32 * where.lane;
#pragma unroll 1
	for (int i = 0; i < where.rounds; i += 4)
#pragma unroll
		for (int k = 0; k < 4; k++) {
			add_one<KIND>(lane + (place & (size - 1)), 1, sum);
			place += where.round;
		}
	if (sum == NEVER)
		*sink = sum;
}

/* Additions per second of the whole GPU, 512 threads on each SM. */
template <kind KIND> static void measure_atomics(const char *name, const buffer &memory, unsigned size)
{
	for (const spread &where : spreads) {
		int blocks = sm_count() * 2;
		double additions = (double)blocks * THREADS * where.rounds;
		samples seconds = measure_seconds(
			nullptr, [&] { add_everywhere<KIND><<<blocks, THREADS>>>(memory.data, size, where, nullptr); });
		record(format("atomics.%s_%s", name, where.name), "operations/s",
		       transform(seconds, [=](double time) { return additions / time; }),
		       "additions of single lanes per second, all SMs, 512 threads each");
	}
}

/* value 0: the constant 1, for which there is an instruction of its own. */
static __global__ void __launch_bounds__(1024) add_shared(span *spans, unsigned lane_bytes, unsigned value, int rounds)
{
	__shared__ unsigned words[1024];
	words[threadIdx.x] = 0;
	unsigned sum = 0;
	address_t a = shared_address(words) + threadIdx.x % 32 * lane_bytes;
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int i = 0; i < rounds && value; i += 8)
#pragma unroll
		for (int k = 0; k < 8; k++)
			add_one<RED_SHARED>(a + k * 128, value, sum);
#pragma unroll 1
	for (int i = 0; i < rounds && !value; i += 8)
#pragma unroll
		for (int k = 0; k < 8; k++)
			add_one<RED_SHARED>(a + k * 128, 1, sum);
	__syncthreads();
	span_write(spans, start, cycle_counter());
}

static void measure_shared_atomics()
{
	for (unsigned value : {0u, 5u})
		for (unsigned lane_bytes : {0u, 4u, 64u}) {
			const char *places = lane_bytes == 0   ? "same_address"
			                     : lane_bytes == 4 ? "neighbouring_words"
			                                       : "two_banks";
			samples cycles = measure_cycles(sm_count(), 32, [=](span *spans) {
				add_shared<<<sm_count(), 1024>>>(spans, lane_bytes, value, 64);
			});
			record(format("atomics.shared_%s_%s_cycles", value ? "add" : "increment", places), "cycles",
			       transform(cycles, [](double time) { return time / (64 * 32); }),
			       format("SM cycles per warp red.shared.add.u32 of %s, lanes %u bytes apart, 32 warps",
			              value ? "any value" : "1", lane_bytes));
		}
}

void measure_synchronization()
{
	unsigned size = 8u << 20;
	buffer memory((size_t)size + 4096);
	measure_barriers();
	measure_atomic_latency();
	measure_shared_atomics();
	measure_atomics<RED_U32>("red_u32", memory, size);
	measure_atomics<RED_F32>("red_f32", memory, size);
	measure_atomics<ATOM_U32>("atom_u32", memory, size);
}
