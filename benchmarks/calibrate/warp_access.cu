/*
 * Cycles of one warp load or store against its pattern: stride, lines touched, banks, alignment; L1 hits, shared memory, L2 hits.
 *
 * Lane l accesses base + offset[l]; the eight accesses of a loop's body lie whole lines apart, which changes neither banks nor sectors.
 * Enough warps run for the cost to be throughput: SM cycles over the warp accesses it executed. L1 and shared memory: every SM on its
 * own data. L2: chunks of a region that the L2 holds and an L1 does not, visited in steps of the golden section, so that no SM comes
 * back to a chunk before its L1 has lost it; with all SMs at once and with one alone. Stores go through to the L2 in any case.
 */
#include "kernels.h"

#include <algorithm>

#define LINE 128
#define BODY 8
#define HIT_WARPS 32
#define SWEEP_WARPS 16
/* 32 lanes of 16 bytes 32 elements apart, and the two times eight lines that the loop moves by. */
#define WINDOW_BYTES (32 * 32 * 16 + 2 * BODY * LINE)

template <path PATH, int WORDS, bool STORE>
static __device__ __forceinline__ void access_body(address_t (&addresses)[BODY], unsigned &sum)
{
	unsigned v[BODY][WORDS];
#pragma unroll
	for (int k = 0; k < BODY; k++) {
		if constexpr (STORE) {
#pragma unroll
			for (int w = 0; w < WORDS; w++)
				v[k][w] = sum;
			store<PATH>(v[k], addresses[k]);
		} else
			load<PATH>(v[k], addresses[k]);
	}
	if constexpr (!STORE) {
#pragma unroll
		for (int k = 0; k < BODY; k++)
			sum ^= fold(v[k]);
	}
}

template <path PATH, int WORDS, bool STORE>
static __global__ void __launch_bounds__(HIT_WARPS * 32)
	access_window(span *spans, char *memory, const unsigned *offsets, int iterations)
{
	extern __shared__ char window[];
	address_t base = (address_t)memory + (size_t)blockIdx.x * WINDOW_BYTES;
	if constexpr (PATH == PATH_SHARED) {
		for (unsigned i = threadIdx.x * 4; i < WINDOW_BYTES; i += blockDim.x * 4)
			*(unsigned *)(window + i) = 0;
		base = shared_address(window);
	}
	base += offsets[threadIdx.x % 32];
	unsigned sum = 0;
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < iterations; i++) {
			address_t addresses[BODY];
#pragma unroll
			for (int k = 0; k < BODY; k++)
				addresses[k] = base + (unsigned)(i & 1) * (BODY * LINE) + k * LINE;
			access_body<PATH, WORDS, STORE>(addresses, sum);
		}
		if (sum == NEVER)
			return;
	}
	span_write(spans, start, cycle_counter());
}

struct sweep {
	char *memory;
	unsigned chunks, step, chunk_bytes;
};

template <int WORDS, bool STORE>
static __global__ void __launch_bounds__(SWEEP_WARPS * 32)
	access_sweep(span *spans, sweep region, const unsigned *offsets, int iterations)
{
	address_t base = (address_t)region.memory + offsets[threadIdx.x % 32];
	unsigned chunk = (blockIdx.x * SWEEP_WARPS + threadIdx.x / 32) % region.chunks, sum = 0;
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int i = 0; i < iterations; i++) {
		address_t addresses[BODY];
#pragma unroll
		for (int k = 0; k < BODY; k++) {
			addresses[k] = base + (address_t)chunk * region.chunk_bytes;
			chunk += region.step;
			chunk = chunk >= region.chunks ? chunk - region.chunks : chunk;
		}
		access_body<PATH_L1, WORDS, STORE>(addresses, sum);
	}
	if (sum == NEVER)
		return;
	span_write(spans, start, cycle_counter());
}

/* ---- patterns ------------------------------------------------------------------------------------------- */

/* Where each lane of a warp accesses, in bytes. */
typedef std::vector<unsigned> pattern;

static pattern lanes(const std::function<unsigned(unsigned)> &offset)
{
	pattern offsets;
	for (unsigned lane = 0; lane < 32; lane++)
		offsets.push_back(offset(lane));
	return offsets;
}

static pattern strided(unsigned stride, unsigned bytes)
{
	return lanes([=](unsigned lane) { return lane * stride * bytes; });
}

static samples per_access(const samples &cycles, double accesses)
{
	return transform(cycles, [=](double value) { return value / accesses; });
}

template <path PATH, int WORDS, bool STORE> static samples window_cycles(const pattern &offsets, int warps = HIT_WARPS)
{
	if (*std::max_element(offsets.begin(), offsets.end()) + WORDS * 4 + (2 * BODY - 1) * LINE > WINDOW_BYTES)
		throw failure{"a pattern wider than its window"};
	int iterations = 64;
	buffer memory((size_t)sm_count() * WINDOW_BYTES), lane_offsets(32 * sizeof(unsigned));
	lane_offsets.upload(offsets);
	auto kernel = access_window<PATH, WORDS, STORE>;
	CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
	                           PATH == PATH_SHARED ? 100 : 0));
	return per_access(
		measure_cycles(sm_count(), warps,
	                       [&](span *spans) {
				       kernel<<<sm_count(), warps * 32, PATH == PATH_SHARED ? WINDOW_BYTES : 0>>>(
					       spans, memory.data, lane_offsets.as<unsigned>(), iterations);
			       }),
		(double)iterations * BODY * warps);
}

/* The region all sweeps go over: a quarter of the L2, which was just filled and stays there. */
template <int WORDS, bool STORE> static samples sweep_cycles(const buffer &memory, const pattern &offsets, int blocks)
{
	int iterations = run.quick ? 16 : 64;
	unsigned extent = *std::max_element(offsets.begin(), offsets.end()) + WORDS * 4;
	unsigned chunk = (extent + LINE - 1) / LINE * LINE, chunks = (unsigned)(memory.bytes / chunk);
	sweep region = {memory.data, chunks, (unsigned)(chunks * 0.6180339887), chunk};
	buffer lane_offsets(32 * sizeof(unsigned));
	lane_offsets.upload(offsets);
	return per_access(measure_cycles(blocks, SWEEP_WARPS,
	                                 [&](span *spans) {
						 access_sweep<WORDS, STORE><<<blocks, SWEEP_WARPS * 32>>>(
							 spans, region, lane_offsets.as<unsigned>(), iterations);
					 }),
	                  (double)iterations * BODY * SWEEP_WARPS);
}

/* ---- tables ------------------------------------------------------------------------------------------------ */

static std::vector<double> strides()
{
	if (run.quick)
		return {1, 2, 3, 4, 8, 32};
	std::vector<double> all;
	for (int stride = 1; stride <= 32; stride++)
		all.push_back(stride);
	return all;
}

/* One table over the stride, elements of `bytes` bytes. Returns the values. */
static std::vector<samples> stride_table(const char *name, unsigned bytes, const std::string &method,
                                         const std::function<samples(const pattern &)> &cost)
{
	std::vector<samples> values;
	for (double stride : strides())
		values.push_back(cost(strided((unsigned)stride, bytes)));
	record_table(format("stride_cycles.%s_%u_bytes", name, bytes), "cycles", "stride in elements", strides(),
	             values, method);
	progress("  %s, %u bytes: stride 1 %.2f, stride %g %.2f cycles", name, bytes, median(values.front()),
	         strides().back(), median(values.back()));
	return values;
}

/* Lanes a whole number of rounds through the banks apart all meet in one: the smallest stride at which a warp load takes a cycle per lane. */
static void record_banks(const std::vector<samples> &values)
{
	std::vector<double> at = strides();
	for (size_t i = 0; i < at.size(); i++)
		if (at[i] > 1 && median(values[i]) > 30 && median(values[i]) < 34) {
			record("sm.shared_banks", "count", samples(values[i].size(), at[i]),
			       "smallest stride in words of 4 bytes at which a warp load from shared memory takes 32 cycles");
			return;
		}
}

/* The strides that have a key of their own in a machine file. */
static void record_l1_strides(const char *type, const std::vector<samples> &values)
{
	std::vector<double> at = strides();
	for (size_t i = 0; i < at.size(); i++)
		if (at[i] <= 5 || at[i] == 8 || at[i] == 16 || at[i] == 32)
			record(format("l1_load_cycles.%s_stride_%g", type, at[i]), "cycles", values[i],
			       "SM cycles per warp load, L1 hits, 32 warps, eight independent loads each");
}

/* All stride tables of a width. Returns the L1 bandwidth at stride 1. */
template <int WORDS> static samples measure_strides(const buffer &region)
{
	unsigned bytes = WORDS * 4;
	std::string one = ", 16 warps of one SM", all = ", 16 warps on every SM";
	std::string sweep = "SM cycles per warp access over a region that the L2 holds";
	std::vector<samples> hits =
		stride_table("l1_load", bytes, "SM cycles per warp load, L1 hits, 32 warps",
	                     [](const pattern &p) { return window_cycles<PATH_L1, WORDS, false>(p); });
	if (WORDS < 4)
		record_l1_strides(WORDS == 1 ? "float" : "double", hits);
	std::vector<samples> shared =
		stride_table("shared_load", bytes, "SM cycles per warp load from shared memory, 32 warps",
	                     [](const pattern &p) { return window_cycles<PATH_SHARED, WORDS, false>(p); });
	if (WORDS == 1)
		record_banks(shared);
	stride_table("shared_store", bytes, "SM cycles per warp store to shared memory, 32 warps",
	             [](const pattern &p) { return window_cycles<PATH_SHARED, WORDS, true>(p); });
	stride_table("l2_load", bytes, sweep + all,
	             [&](const pattern &p) { return sweep_cycles<WORDS, false>(region, p, sm_count()); });
	stride_table("l2_load_one_sm", bytes, sweep + one,
	             [&](const pattern &p) { return sweep_cycles<WORDS, false>(region, p, 1); });
	stride_table("l2_store", bytes, sweep + all,
	             [&](const pattern &p) { return sweep_cycles<WORDS, true>(region, p, sm_count()); });
	stride_table("l2_store_one_sm", bytes, sweep + one,
	             [&](const pattern &p) { return sweep_cycles<WORDS, true>(region, p, 1); });
	double at_once = 32.0 * bytes;
	samples rate = transform(hits[0], [=](double cycles) { return at_once / cycles; });
	record(format("bandwidth.l1_%u_bytes", bytes), "bytes/cycle", rate, "bytes over SM cycles, L1 hits at stride 1");
	return rate;
}

/* A table of L1 loads of 4 bytes over a parameter of the pattern. */
static std::vector<samples> pattern_table(const char *key, const char *axis, const std::vector<double> &at,
                                          const char *method, const std::function<pattern(unsigned)> &make)
{
	std::vector<samples> values;
	for (double value : at)
		values.push_back(window_cycles<PATH_L1, 1, false>(make((unsigned)value)));
	record_table(key, "cycles", axis, at, values, method);
	return values;
}

static void measure_tags()
{
	std::vector<double> lines = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32};
	std::vector<samples> spread =
		pattern_table("tag_cycles.interleaved", "lines", lines,
	                      "warp load of 32 different words, one per bank: lane l reads word l of line l mod n",
	                      [](unsigned n) { return lanes([=](unsigned l) { return l % n * LINE + l * 4; }); });
	pattern_table("tag_cycles.grouped", "lines", lines, "the same, lane l reads word l of line l * n / 32",
	              [](unsigned n) { return lanes([=](unsigned l) { return l * n / 32 * LINE + l * 4; }); });
	samples rate;
	for (size_t i = 0; i < spread[7].size(); i++)
		if (spread[14][i] - spread[7][i] > 0.1)
			rate.push_back(24 / (spread[14][i] - spread[7][i]));
	if (rate.size() == spread[7].size())
		record("l1.tags_per_cycle", "tags/cycle", rate,
		       "24 lines over the further cycles of a warp load without bank conflicts that touches 32 lines "
		       "instead of 8");
}

/* As a stride costs where an array's rows begin anywhere: the mean over eight places of the first lane in its line. */
static void measure_shifted_strides()
{
	std::vector<samples> values;
	for (double stride : strides()) {
		samples sum((size_t)run.repeats, 0);
		for (unsigned shift = 0; shift < LINE; shift += LINE / 8) {
			pattern offsets = strided((unsigned)stride, 4);
			for (unsigned &offset : offsets)
				offset += shift;
			samples cycles = window_cycles<PATH_L1, 1, false>(offsets);
			for (size_t i = 0; i < sum.size(); i++)
				sum[i] += cycles[i] / 8;
		}
		values.push_back(sum);
	}
	record_table("stride_cycles.l1_load_4_bytes_any_alignment", "cycles", "stride in elements", strides(), values,
	             "SM cycles per warp load, L1 hits, 32 warps: mean over first lanes 0, 16, ... 112 bytes into a line");
}

static void measure_banks()
{
	std::vector<double> ways = {1, 2, 4, 8, 16, 32};
	auto conflict = [](unsigned d) { return lanes([=](unsigned l) { return l % d * LINE + l / d * 4; }); };
	pattern_table("bank_cycles.l1_ways", "ways", ways,
	              "warp load of 4 bytes: lane l reads word l / d of line l mod d, d to a bank", conflict);
	std::vector<samples> shared;
	for (double way : ways)
		shared.push_back(window_cycles<PATH_SHARED, 1, false>(conflict((unsigned)way)));
	record_table("bank_cycles.shared_ways", "cycles", "ways", ways, shared, "the same pattern in shared memory");
	pattern_table("alignment_cycles.l1", "bytes", {0, 4, 8, 16, 32, 64, 96, 124},
	              "warp load of 32 neighbouring words, beginning so many bytes into a line",
	              [](unsigned shift) { return lanes([=](unsigned l) { return l * 4 + shift; }); });
	pattern_table("broadcast_cycles.l1", "words", {1, 2, 4, 8, 16, 32},
	              "warp load of so many different neighbouring words: lane l reads word l mod n",
	              [](unsigned n) { return lanes([=](unsigned l) { return l % n * 4; }); });
}

/* Lanes that read the same from shared memory, and so may be served together. */
template <int WORDS> static void measure_shared_broadcast()
{
	std::vector<double> at = {1, 2, 4, 8, 16, 32};
	std::vector<samples> values;
	for (double different : at)
		values.push_back(window_cycles<PATH_SHARED, WORDS, false>(
			lanes([=](unsigned l) { return l % (unsigned)different * WORDS * 4; })));
	record_table(format("broadcast_cycles.shared_%d_bytes", WORDS * 4), "cycles", "places", at, values,
	             "warp load from so many different neighbouring places of shared memory: lane l reads place l mod n");
}

template <int WORDS> static void measure_occupancy()
{
	std::vector<double> at = {1, 2, 4, 8, 16, 32};
	std::vector<samples> values;
	for (double warps : at)
		values.push_back(transform(window_cycles<PATH_L1, WORDS, false>(strided(1, WORDS * 4), (int)warps),
		                           [](double cycles) { return 32.0 * WORDS * 4 / cycles; }));
	record_table(format("bandwidth.l1_%d_bytes_by_warps", WORDS * 4), "bytes/cycle", "warps per SM", at, values,
	             "bytes over SM cycles, L1 hits at stride 1, eight loads in flight per warp");
}

void measure_warp_access()
{
	buffer region((size_t)std::max(run.properties.l2CacheSize, 4 << 20) / 4);
	fill(region);
	samples narrow = measure_strides<1>(region), wide = measure_strides<2>(region), widest = measure_strides<4>(region);
	measure_tags();
	measure_shifted_strides();
	measure_banks();
	measure_shared_broadcast<2>();
	measure_shared_broadcast<4>();
	measure_occupancy<1>();
	measure_occupancy<2>();
	measure_occupancy<4>();
	const samples *best = &narrow;
	for (const samples *rate : {&wide, &widest})
		if (median(*rate) > median(*best))
			best = rate;
	record("l1.bandwidth_bytes_per_cycle_per_sm", "bytes/cycle", *best,
	       format("the best of 4, 8 and 16 bytes per lane, here %d", best == &narrow ? 4 : best == &wide ? 8 : 16));
	record("lanes.load_store", "threads/cycle", transform(narrow, [](double rate) { return rate / 4; }),
	       "threads per cycle of warp loads of 4 bytes, L1 hits");
}
