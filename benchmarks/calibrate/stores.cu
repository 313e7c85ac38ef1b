/*
 * Stores: which of them the SM sends on as one, what partly written sectors cost, and how fast stores and loads of few lines are.
 *
 * Merging: each thread writes the words of a record one after the other, with a pause between them, records of all warps side by side.
 * The cycles say what one SM sends where it is busy all the time; how many sectors reach the L2 says a profiler, which is why each set-up is a launch of its own.
 * Partly written sectors: seconds of launches that write all, half, or one of the words of each sector of a set, over its size.
 * Hot lines: every warp of the GPU writes or reads one of so many lines, again and again.
 */
#include "kernels.h"

#define MERGE_ROUNDS 16
#define WORD 4u

/* ---- merging ------------------------------------------------------------------------------------------------ */

/* Waits for so many cycles; 0 costs nothing. */
static __device__ __forceinline__ void pause_cycles(long long cycles)
{
	if (cycles == 0)
		return;
	long long begin = cycle_counter();
	while (cycle_counter() - begin < cycles)
		;
}

template <int MEMBERS>
static __global__ void __launch_bounds__(1024)
	write_members(span *spans, char *memory, unsigned size, int members, long long pause)
{
	unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32, lane = threadIdx.x % 32, v[1] = {threadIdx.x};
	unsigned place = warp * 32 * MEMBERS * WORD;
	address_t base = (address_t)memory + (address_t)blockIdx.x * size + lane * MEMBERS * WORD;
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int round = 0; round < MERGE_ROUNDS; round++) {
#pragma unroll
		for (int m = 0; m < MEMBERS; m++)
			if (m < members) {
				store_default(v, base + (place & (size - 1)) + m * WORD);
				pause_cycles(pause);
			}
		place += warps * 32 * MEMBERS * WORD;
	}
	__syncthreads();
	span_write(spans, start, cycle_counter());
}

static const std::vector<double> pauses = {0, 30, 100, 300, 1000};

/* SM cycles per store of a warp: W warps of one SM write `members` of the MEMBERS words of their records. */
template <int MEMBERS> static void measure_merging(const buffer &memory, int members)
{
	for (double pause : pauses) {
		std::vector<double> at;
		std::vector<samples> values;
		for (int warps : {1, 2, 4, 8, 16, 32}) {
			samples cycles = measure_cycles(1, warps, [&](span *spans) {
				write_members<MEMBERS><<<1, warps * 32>>>(spans, memory.data, (unsigned)memory.bytes, members, (long long)pause);
			});
			at.push_back(warps);
			values.push_back(transform(cycles, [=](double value) { return value / (MERGE_ROUNDS * members * warps); }));
		}
		record_table(format("merge.%d_of_%d_words_pause_%.0f", members, MEMBERS, pause), "cycles", "warps", at, values,
		             format("cycles of one SM per store of 4 bytes per lane; each thread writes the first %d words of a record of %d, "
		                    "one after the other, %.0f cycles between them",
		                    members, MEMBERS, pause));
	}
}

/* ---- partly written sectors ----------------------------------------------------------------------------------- */

/* Every thread writes one word, `stride` bytes from that of its neighbour; with BYTES 1 or 2 a part of a word. */
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
		buffer memory((size_t)1 << 20);
		measure_merging<2>(memory, 2);
		measure_merging<3>(memory, 3);
		measure_merging<4>(memory, 4);
		measure_merging<5>(memory, 5);
		measure_merging<8>(memory, 2);
		measure_merging<8>(memory, 4);
		measure_merging<8>(memory, 8);
	}
	{
		buffer memory((size_t)1 << 20);
		measure_hot_lines<true>(memory);
		measure_hot_lines<false>(memory);
	}
	buffer memory(std::min((size_t)1 << 30, free_bytes() / 4));
	measure_partial_sets(memory);
}
