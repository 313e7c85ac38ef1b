/*
 * Atomic additions to so many bins, by how the bins lie: side by side, a sector or a line each. Lanes pick bins at random (a hash of thread and
 * round), as histograms do; in device memory all SMs at once, in shared memory one SM. And by pattern: lanes of a warp at one place, at neighbouring ones, one in each
 * sector, one in each line, where all warps use the same few lines. And by single lanes that pick one of a few places: which of them share a slice of the L2.
 */
#include "kernels.h"

#include <algorithm>

enum number { NUMBER_U32, NUMBER_F32, NUMBER_F64 };

template <number KIND> static __device__ __forceinline__ void add_to(address_t a, unsigned value)
{
	if constexpr (KIND == NUMBER_U32)
		asm volatile("red.global.add.u32 [%0], %1;" ::"l"(a), "r"(value) : "memory");
	else if constexpr (KIND == NUMBER_F32)
		asm volatile("red.global.add.f32 [%0], %1;" ::"l"(a), "f"((float)value) : "memory");
	else
		asm volatile("red.global.add.f64 [%0], %1;" ::"l"(a), "d"((double)value) : "memory");
}

/* A different number for each thread and round. */
static __device__ __forceinline__ unsigned hash_of(unsigned value)
{
	value *= 2654435761u;
	value ^= value >> 15;
	value *= 2246822519u;
	return value ^ value >> 13;
}

#define THREADS 256
#define ROUNDS 32

/* bins: a power of two. */
template <number KIND>
static __global__ void __launch_bounds__(THREADS) add_at_random(char *memory, unsigned bins, unsigned spacing)
{
	unsigned thread = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
#pragma unroll 4
	for (int i = 0; i < ROUNDS; i++)
		add_to<KIND>((address_t)memory + (address_t)(hash_of(thread + i * threads) & (bins - 1)) * spacing, 1);
}

/* Additions of single lanes a second, each to one of so many bins at random. */
template <number KIND> static samples bins_rate(const buffer &memory, unsigned bins, unsigned spacing)
{
	int blocks = sm_count() * 8;
	double additions = (double)blocks * THREADS * ROUNDS;
	samples seconds = measure_seconds(nullptr, [&] { add_at_random<KIND><<<blocks, THREADS>>>(memory.data, bins, spacing); });
	return transform(seconds, [=](double time) { return additions / time; });
}

template <number KIND> static void measure_bins(const char *name, unsigned width, const buffer &memory)
{
	for (unsigned spacing : {width, 32u, 128u}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (unsigned bins = 1; bins <= 1u << 20 && (size_t)bins * spacing <= memory.bytes; bins *= 4) {
			at.push_back(bins);
			values.push_back(bins_rate<KIND>(memory, bins, spacing));
		}
		record_table(format("bins.%s_%u_bytes_apart", name, spacing), "operations/s", "bins", at, values,
		             "additions of single lanes per second, all SMs, each to one of so many bins at random");
	}
}

/* What slices of the L2 do side by side: lines, in steps of two where their number decides. */
static void measure_lines(const buffer &memory)
{
	std::vector<double> at;
	std::vector<samples> values;
	for (unsigned lines = 1; lines <= 1u << 20 && (size_t)lines * 128 <= memory.bytes; lines *= lines < 4096 ? 2 : 4) {
		at.push_back(lines);
		values.push_back(bins_rate<NUMBER_U32>(memory, lines, 128));
	}
	record_table("slices.u32_lines_per_second", "operations/s", "lines", at, values,
	             "additions of single lanes per second, all SMs, each to one of so many neighbouring lines at random");
}

/* ---- patterns of one warp --------------------------------------------------------------------------------------- */

#define IDLE 0xffffffffu

/*
 * Every warp adds in this pattern, to one line after the other of so many (a power of two), beginning elsewhere than its neighbours. places: bytes from the
 * warp's line to each lane's place; IDLE where the lane does nothing.
 */
template <number KIND>
static __global__ void __launch_bounds__(THREADS) add_pattern(char *memory, unsigned lines, const unsigned *places)
{
	unsigned warp = blockIdx.x * (THREADS / 32) + threadIdx.x / 32, place = places[threadIdx.x % 32], line = warp * 5;
	if (place == IDLE)
		return;
#pragma unroll 4
	for (int i = 0; i < ROUNDS; i++) {
		add_to<KIND>((address_t)memory + (((line & (lines - 1)) * 128 + place) & (lines * 128 - 1)), 1);
		line += 7;
	}
}

/* `lanes` lanes, each next one `apart` bytes on, in groups of `alike` with the same place. */
static std::vector<unsigned> pattern(unsigned lanes, unsigned alike, unsigned apart)
{
	std::vector<unsigned> places;
	for (unsigned lane = 0; lane < 32; lane++)
		places.push_back(lane < lanes ? lane / alike * apart : IDLE);
	return places;
}

template <number KIND> static void measure_patterns(const char *name, unsigned width, const buffer &memory)
{
	static const struct {
		const char *name;
		unsigned alike, apart; /* apart 0: the width */
		unsigned most;
	} rows[] = {{"one_place", 32, 4, 32}, {"neighbours", 1, 0, 32}, {"sectors", 1, 32, 4}, {"two_in_each_place", 2, 0, 32}, {"lines", 1, 128, 32}};
	for (const auto &row : rows)
		for (unsigned lines : {1u, 16u, 256u, 4096u}) {
			std::vector<double> at;
			std::vector<samples> values;
			for (unsigned lanes = 1; lanes <= row.most && (size_t)lines * 128 <= memory.bytes; lanes *= 2) {
				if (row.apart == 128 && lanes > lines)
					continue;
				buffer places(32 * sizeof(unsigned));
				places.upload(pattern(lanes, row.alike, row.apart ? row.apart : width));
				double instructions = sm_count() * 8.0 * (THREADS / 32) * ROUNDS;
				samples seconds = measure_seconds(
					nullptr, [&] { add_pattern<KIND><<<sm_count() * 8, THREADS>>>(memory.data, lines, places.as<unsigned>()); });
				at.push_back(lanes);
				values.push_back(transform(seconds, [=](double time) { return instructions / time; }));
			}
			if (!at.empty())
				record_table(format("pattern.%s_%s_%u_lines", name, row.name, lines), "operations/s", "lanes", at, values,
				             format("warp additions per second of the whole GPU, to %u lines in turn; so many lanes take part, %s", lines,
				                    row.alike > 2 ? "all at the same place" : format("%u bytes apart, %u at each place", row.apart ? row.apart : width, row.alike).c_str()));
		}
}

/* ---- slices of the L2 ------------------------------------------------------------------------------------------- */

/* One lane of each warp adds to one of so many places, picked at random, at even distances. */
template <number KIND>
static __global__ void __launch_bounds__(THREADS) add_one_lane(char *memory, unsigned places, unsigned distance)
{
	unsigned warp = blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
	if (threadIdx.x % 32)
		return;
#pragma unroll 4
	for (int i = 0; i < ROUNDS; i++)
		add_to<KIND>((address_t)memory + (address_t)(hash_of(warp * ROUNDS + i) % places) * distance, 1);
}

/* Seconds of one addition. */
template <number KIND> static samples one_lane_seconds(const buffer &memory, unsigned places, unsigned distance)
{
	int blocks = sm_count() * 8;
	double additions = blocks * (THREADS / 32.0) * ROUNDS;
	samples seconds = measure_seconds(nullptr, [&] { add_one_lane<KIND><<<blocks, THREADS>>>(memory.data, places, distance); });
	return transform(seconds, [=](double time) { return time / additions; });
}

template <number KIND> static void measure_places(const char *name, unsigned distance, const char *what, const buffer &memory)
{
	std::vector<double> at;
	std::vector<samples> values;
	for (unsigned places = 1; places <= 256; places *= 2) {
		at.push_back(places);
		values.push_back(one_lane_seconds<KIND>(memory, places, distance));
	}
	record_table(format("slices.%s_%s_seconds", name, what), "s", what, at, values,
	             format("one addition by one lane of a warp, all SMs, to one of so many places at random, %u bytes apart", distance));
}

static void measure_slices(const buffer &memory)
{
	measure_lines(memory);
	std::vector<double> at;
	std::vector<samples> values;
	for (unsigned lines = 1; lines <= 32; lines++) {
		at.push_back(lines);
		values.push_back(one_lane_seconds<NUMBER_U32>(memory, 2, lines * 128));
	}
	record_table("slices.two_lines_seconds", "s", "lines", at, values,
	             "one addition by one lane of a warp, all SMs, to one of two lines that lie so many lines apart, the first one where an allocation begins");
	measure_places<NUMBER_U32>("u32", 4, "words", memory);
	measure_places<NUMBER_U32>("u32", 32, "sectors", memory);
	measure_places<NUMBER_F32>("f32", 4, "words", memory);
	measure_places<NUMBER_F32>("f32", 32, "sectors", memory);
	measure_places<NUMBER_F64>("f64", 8, "words", memory);
	measure_places<NUMBER_F64>("f64", 32, "sectors", memory);
}

/* ---- shared memory --------------------------------------------------------------------------------------------- */

#define SHARED_BINS 4096

/* FLOATS: red.f32, else red.u32. Cycles of all warps of a block. */
template <bool FLOATS>
static __global__ void __launch_bounds__(1024) add_shared_at_random(span *spans, unsigned bins, unsigned *sink)
{
	__shared__ unsigned words[SHARED_BINS];
	for (unsigned i = threadIdx.x; i < SHARED_BINS; i += blockDim.x)
		words[i] = 0;
	address_t base = shared_address(words);
	unsigned place[8];
#pragma unroll
	for (int k = 0; k < 8; k++)
		place[k] = (hash_of(threadIdx.x * 8 + k) & (bins - 1)) * 4;
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int i = 0; i < ROUNDS; i += 8)
#pragma unroll
		for (int k = 0; k < 8; k++) {
			if constexpr (FLOATS)
				asm volatile("red.shared.add.f32 [%0], %1;" ::"r"((unsigned)base + place[k]), "f"(1.0f) : "memory");
			else
				asm volatile("red.shared.add.u32 [%0], %1;" ::"r"((unsigned)base + place[k]), "r"(3) : "memory");
		}
	__syncthreads();
	span_write(spans, start, cycle_counter());
	if (words[threadIdx.x] == NEVER)
		*sink = 1;
}

template <bool FLOATS> static void measure_shared_bins(const char *name)
{
	for (int warps : {1, 8, 32}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (unsigned bins = 1; bins <= SHARED_BINS; bins *= 4) {
			samples cycles = measure_cycles(
				1, warps, [=](span *spans) { add_shared_at_random<FLOATS><<<1, warps * 32>>>(spans, bins, nullptr); });
			at.push_back(bins);
			values.push_back(transform(cycles, [=](double value) { return value / (ROUNDS * warps); }));
		}
		record_table(format("bins.shared_%s_%d_warps", name, warps), "cycles", "bins", at, values,
		             format("SM cycles per warp addition in shared memory, %d warps, each lane to one of so many words at random", warps));
	}
}

void measure_contention()
{
	buffer memory(std::min((size_t)128 << 20, free_bytes() / 4));
	measure_bins<NUMBER_U32>("u32", 4, memory);
	measure_bins<NUMBER_F32>("f32", 4, memory);
	measure_bins<NUMBER_F64>("f64", 8, memory);
	measure_patterns<NUMBER_U32>("u32", 4, memory);
	measure_patterns<NUMBER_F32>("f32", 4, memory);
	measure_patterns<NUMBER_F64>("f64", 8, memory);
	measure_slices(memory);
	measure_shared_bins<false>("u32");
	measure_shared_bins<true>("f32");
}
