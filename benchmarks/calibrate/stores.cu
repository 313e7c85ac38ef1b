/*
 * Stores: which of them the SM sends on as one, what partly written sectors cost, and how fast stores and loads of few lines are.
 *
 * Merging: each thread writes the words of a record one after the other, with a pause between them, records of all warps side by side. The cycles say
 * what an SM sends where it is busy all the time; how many sectors reach the L2 says a profiler, which is why each set-up is a launch of its own.
 * Partly written sectors: seconds of launches that write all, half, or one of the words of each sector of a set, over its size.
 * Hot lines: every warp of the GPU writes or reads one of so many lines, again and again.
 */
#include "kernels.h"

#define MERGE_ROUNDS 16
#define WORD 4u

/* ---- merging ------------------------------------------------------------------------------------------------ */

/* STEPS readings of the clock: no store is moved past them. */
template <int STEPS> static __device__ __forceinline__ void pause_steps(unsigned &value)
{
#pragma unroll
	for (int i = 0; i < STEPS; i++) {
		unsigned now;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
		value ^= now;
	}
}

/*
 * Each thread writes the first WRITTEN words of records of MEMBERS, one after the other. size: a power of two; a warp's records may reach a block's worth beyond it.
 */
template <int MEMBERS, int WRITTEN, int STEPS>
static __global__ void __launch_bounds__(1024) write_members(span *spans, char *memory, unsigned size)
{
	unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, v[1] = {threadIdx.x};
	unsigned place = warp * 32 * MEMBERS * WORD;
	address_t base = (address_t)memory + (address_t)blockIdx.x * size + lane * MEMBERS * WORD;
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int round = 0; round < MERGE_ROUNDS; round++) {
		address_t a = base + (place & (size - 1));
#pragma unroll
		for (int m = 0; m < WRITTEN; m++) {
			store_default(v, a + m * WORD);
			pause_steps<STEPS>(v[0]);
		}
		place += warps * 32 * MEMBERS * WORD;
	}
	__syncthreads();
	span_write(spans, start, cycle_counter());
}

#define MERGE_BYTES (1u << 17)

/* SM cycles per store of a warp, of one SM or of all. */
template <int MEMBERS, int WRITTEN, int STEPS> static void measure_merging_of(const buffer &memory, int blocks)
{
	std::vector<double> at;
	std::vector<samples> values;
	for (int warps : {1, 2, 4, 8, 16, 32}) {
		samples cycles = measure_cycles(blocks, warps, [&](span *spans) {
			write_members<MEMBERS, WRITTEN, STEPS><<<blocks, warps * 32>>>(spans, memory.data, MERGE_BYTES);
		});
		at.push_back(warps);
		values.push_back(transform(cycles, [=](double value) { return value / (MERGE_ROUNDS * WRITTEN * warps); }));
	}
	record_table(format("merge.%d_of_%d_words_pause_%d_%s", WRITTEN, MEMBERS, STEPS, blocks == 1 ? "one_sm" : "all_sms"), "cycles", "warps", at, values,
	             format("cycles of an SM per store of 4 bytes per lane; each thread writes the first %d words of a record of %d, one after the other, with %d "
	                    "readings of the clock between them",
	                    WRITTEN, MEMBERS, STEPS));
}

template <int MEMBERS, int WRITTEN> static void measure_merging(const buffer &memory)
{
	for (int blocks : {1, sm_count()}) {
		measure_merging_of<MEMBERS, WRITTEN, 0>(memory, blocks);
		measure_merging_of<MEMBERS, WRITTEN, 1>(memory, blocks);
		measure_merging_of<MEMBERS, WRITTEN, 6>(memory, blocks);
		measure_merging_of<MEMBERS, WRITTEN, 16>(memory, blocks);
		measure_merging_of<MEMBERS, WRITTEN, 48>(memory, blocks);
	}
}

/* ---- partly written sectors ----------------------------------------------------------------------------------- */

/* Every thread writes some words, `stride` bytes from those of its neighbour. */
static __global__ void __launch_bounds__(256) write_strided(char *memory, size_t count, unsigned stride, unsigned words)
{
	unsigned v[1] = {(unsigned)blockIdx.x & 0xffffu};
	size_t i = blockIdx.x * (size_t)256 + threadIdx.x;
	if (i >= count)
		return;
	for (unsigned w = 0; w < words; w++)
		store_default(v, (address_t)(memory + i * stride + w * WORD));
}

static void measure_partial_sets(const buffer &memory)
{
	static const struct {
		const char *name;
		unsigned stride, words;
	} forms[] = {{"all_words", 4, 1}, {"every_second_word", 8, 1}, {"one_word_of_eight", 32, 1}, {"three_words_of_four", 16, 3}};
	for (const auto &form : forms) {
		std::vector<double> at;
		std::vector<samples> values;
		for (size_t bytes = (size_t)4 << 20; bytes <= memory.bytes && bytes <= (size_t)1 << 30; bytes *= 4) {
			size_t count = bytes / form.stride;
			at.push_back((double)bytes);
			values.push_back(measure_seconds([] { evict_l2(true); }, [&] {
				write_strided<<<(unsigned)((count + 255) / 256), 256>>>(memory.data, count, form.stride, form.words);
			}));
		}
		if (!at.empty())
			record_table(format("partial.%s_seconds", form.name), "s", "bytes of the set", at, values,
			             format("a launch that writes %u words in every %u bytes of a set, one such place per thread, after a kernel that "
			                    "overwrites the L2",
			                    form.words, form.stride));
	}
}

/* ---- hot lines ---------------------------------------------------------------------------------------------------- */

#define HOT_ROUNDS 256

template <bool WRITE>
static __global__ void __launch_bounds__(256) use_hot_lines(char *memory, unsigned lines, unsigned lane_bytes, unsigned *sink)
{
	unsigned warp = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, sum = 0, v[1] = {lane};
	unsigned place = warp * 5;
#pragma unroll 1
	for (int i = 0; i < HOT_ROUNDS; i += 8)
#pragma unroll
		for (int k = 0; k < 8; k++) {
			address_t a = (address_t)memory + (place & (lines - 1)) * 128 + lane * lane_bytes;
			if constexpr (WRITE)
				store_default(v, a);
			else {
				load_past_l1(v, a);
				sum |= v[0];
			}
			place += 7;
		}
	if (sum == NEVER)
		*sink = sum;
}

template <bool WRITE> static void measure_hot_lines(const buffer &memory)
{
	for (unsigned lane_bytes : {0u, 4u}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (unsigned lines = 1; lines <= 4096 && (size_t)lines * 128 <= memory.bytes; lines *= 2) {
			double warps = sm_count() * 4.0 * 8;
			samples seconds = measure_seconds(
				nullptr, [&] { use_hot_lines<WRITE><<<sm_count() * 4, 256>>>(memory.data, lines, lane_bytes, nullptr); });
			at.push_back(lines);
			values.push_back(transform(seconds, [=](double time) { return warps * HOT_ROUNDS / time; }));
		}
		record_table(format("hot.%s_%s", WRITE ? "store" : "load", lane_bytes ? "line" : "word"), "operations/s", "lines", at, values,
		             format("warp %s per second of the whole GPU, 32 warps per SM, to so many lines in turn, lanes %u bytes apart",
		                    WRITE ? "stores" : "loads past the L1", lane_bytes));
	}
}

void measure_stores()
{
	{
		buffer memory((size_t)(sm_count() + 1) * MERGE_BYTES);
		measure_merging<2, 2>(memory);
		measure_merging<3, 3>(memory);
		measure_merging<5, 5>(memory);
		measure_merging<8, 8>(memory);
		measure_merging<8, 4>(memory);
	}
	{
		buffer memory((size_t)1 << 20);
		measure_hot_lines<true>(memory);
		measure_hot_lines<false>(memory);
	}
	buffer memory(std::min((size_t)1 << 30, free_bytes() / 4));
	measure_partial_sets(memory);
}
