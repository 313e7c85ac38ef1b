/*
 * One set read by all SMs, and launches that begin cold.
 *
 * Sharing: every SM reads the whole of the same set, once, beginning at the same place or each elsewhere. What an SM has fetched the others may find in the
 * L2; the time says how much came from DRAM, a profiler's counts say it exactly.
 * Dirty lines: a kernel overwrites the L2, then another reads a set: what the first left dirty is written back while the second reads.
 * Arrays: one word per thread of each of 1 to 8 arrays, read or read and written, on a cold L2: the same bytes, more places.
 * Places: which SM a block runs on, where all blocks fit at once.
 * Loaded: the latency of L2 and DRAM while all other SMs read, by how much they read.
 */
#include "kernels.h"

#include <algorithm>

/* ---- sharing ------------------------------------------------------------------------------------------------- */

/* Each block reads all of the set, 16 bytes per thread, beginning blockIdx.x * lag bytes into it. size: a multiple of the block's step. */
static __global__ void __launch_bounds__(512) read_all(const char *memory, size_t size, size_t lag, unsigned *sink)
{
	unsigned sum = 0;
	size_t place = (blockIdx.x * lag) % size / 8192 * 8192 + threadIdx.x * 16;
	for (size_t done = 0; done < size; done += 8192 * 4) {
		unsigned v[4][4];
#pragma unroll
		for (int k = 0; k < 4; k++) {
			load_past_l1(v[k], (address_t)(memory + place));
			place += 8192;
			place = place >= size ? place - size : place;
		}
#pragma unroll
		for (int k = 0; k < 4; k++)
			sum |= fold(v[k]);
	}
	if (sum == NEVER)
		*sink = sum;
}

static void measure_shared_sets(const buffer &memory)
{
	for (int spread : {0, 1}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (size_t mib : {8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128, 192}) {
			size_t size = mib << 20, lag = spread ? size / (size_t)sm_count() : 0;
			if (size > memory.bytes)
				continue;
			at.push_back((double)size);
			values.push_back(measure_seconds([] { evict_l2(false); },
			                                 [&] { read_all<<<sm_count(), 512>>>(memory.data, size, lag, nullptr); }));
		}
		record_table(spread ? "sharing.each_elsewhere_seconds" : "sharing.together_seconds", "s", "bytes of the set", at, values,
		             format("every SM reads all of the set once past the L1, 512 threads of 4 loads of 16 bytes, %s",
		                    spread ? "each beginning elsewhere" : "all beginning at the same place"));
	}
}

/* As read_all, all from the beginning, on those SMs alone whose number has a 1 in `who`; a grid of one block per SM. */
static __global__ void __launch_bounds__(512) read_together(const char *memory, size_t size, const unsigned *who, unsigned *sink)
{
	unsigned sum = 0;
	size_t place = threadIdx.x * 16;
	if (who[multiprocessor()] == 0)
		return;
	for (size_t done = 0; done < size; done += 8192 * 4) {
		unsigned v[4][4];
#pragma unroll
		for (int k = 0; k < 4; k++) {
			load_past_l1(v[k], (address_t)(memory + place));
			place += 8192;
		}
#pragma unroll
		for (int k = 0; k < 4; k++)
			sum |= fold(v[k]);
	}
	if (sum == NEVER)
		*sink = sum;
}

/* Every `step`-th SM, `count` of them. */
static std::vector<unsigned> sms_of(int step, int count)
{
	std::vector<unsigned> who((size_t)sm_count(), 0);
	for (int i = 0; i < count; i++)
		who[(size_t)(i * step)] = 1;
	return who;
}

static void measure_few_sms(const buffer &memory)
{
	static const struct {
		int step, most;
	} rows[] = {{1, 1 << 30}, {2, 1 << 30}, {16, 4}};
	size_t size = (size_t)4 << 20;
	for (const auto &row : rows) {
		std::vector<double> at;
		std::vector<samples> values;
		for (int count = 1; count * row.step <= sm_count() && count <= row.most && size <= memory.bytes; count *= 2) {
			buffer who((size_t)sm_count() * sizeof(unsigned));
			who.upload(sms_of(row.step, count));
			at.push_back(count);
			values.push_back(measure_seconds(nullptr, [&] { read_together<<<sm_count(), 512>>>(memory.data, size, who.as<unsigned>(), nullptr); }));
		}
		if (!at.empty())
			record_table(format("sharing.every_%d_sm_seconds", row.step), "s", "SMs", at, values,
			             format("so many SMs, %s, read the same 4 MiB past the L1, beginning together",
			                    row.step == 1 ? "neighbours by number" : format("numbers %d apart", row.step).c_str()));
	}
}

/* ---- dirty lines ------------------------------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(256) read_once(const char *memory, size_t words, unsigned *sink)
{
	unsigned v[4], sum = 0;
	size_t i = blockIdx.x * (size_t)256 + threadIdx.x;
	if (i < words) {
		load_past_l1(v, (address_t)(memory + i * 16));
		sum = fold(v);
	}
	if (sum == NEVER)
		*sink = sum;
}

static void measure_dirty_lines(const buffer &memory)
{
	for (bool dirty : {false, true}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (size_t mib : {4, 8, 16, 32, 64, 128, 192}) {
			size_t bytes = mib << 20;
			if (bytes > memory.bytes)
				continue;
			at.push_back((double)bytes);
			values.push_back(measure_seconds([=] { evict_l2(dirty); }, [&] {
				read_once<<<(unsigned)(bytes / 4096), 256>>>(memory.data, bytes / 16, nullptr);
			}));
		}
		record_table(format("dirty.read_after_%s_seconds", dirty ? "write" : "read"), "s", "bytes read", at, values,
		             format("16 bytes per thread, after a kernel that %s four times the L2", dirty ? "writes" : "reads"));
	}
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

struct arrays {
	const char *at[8];
};

template <int COUNT> static __global__ void __launch_bounds__(256) read_arrays(arrays from, unsigned *out, unsigned words)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x, v[COUNT][1], sum = 0;
	if (i >= words)
		return;
#pragma unroll
	for (int a = 0; a < COUNT; a++)
		load_default(v[a], (address_t)(from.at[a] + i * 4));
#pragma unroll
	for (int a = 0; a < COUNT; a++)
		sum += v[a][0];
	out[i] = sum;
}

template <int COUNT> static __global__ void __launch_bounds__(256) update_arrays(arrays from, unsigned words)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x, v[COUNT][1];
	if (i >= words)
		return;
#pragma unroll
	for (int a = 0; a < COUNT; a++)
		load_default(v[a], (address_t)(from.at[a] + i * 4));
#pragma unroll
	for (int a = 0; a < COUNT; a++) {
		v[a][0]++;
		store_default(v[a], (address_t)(from.at[a] + i * 4));
	}
}

/* total: bytes of all arrays together. */
template <int COUNT> static samples arrays_seconds(const arrays &from, const buffer &out, size_t total, bool update)
{
	unsigned words = (unsigned)(total / COUNT / 4), blocks = (words + 255) / 256;
	return measure_seconds([] { evict_l2(true); }, [&] {
		if (update)
			update_arrays<COUNT><<<blocks, 256>>>(from, words);
		else
			read_arrays<COUNT><<<blocks, 256>>>(from, out.as<unsigned>(), words);
	});
}

static void measure_arrays()
{
	size_t most = std::min((size_t)1 << 30, free_bytes() / 16);
	buffer a0(most), a1(most), a2(most), a3(most), a4(most), a5(most), a6(most), a7(most), out(most);
	arrays from = {{a0.data, a1.data, a2.data, a3.data, a4.data, a5.data, a6.data, a7.data}};
	for (bool update : {false, true})
		for (size_t total = (size_t)1 << 18; total <= most; total *= 4)
			record_table(format("cold.%s_arrays_%zu_bytes_seconds", update ? "update" : "read", total), "s", "arrays", {1, 2, 4, 8},
			             {arrays_seconds<1>(from, out, total, update), arrays_seconds<2>(from, out, total, update),
			              arrays_seconds<4>(from, out, total, update), arrays_seconds<8>(from, out, total, update)},
			             format("%zu bytes of so many arrays, a word of each per thread, %s, after a kernel that overwrites the L2", total,
			                    update ? "each read and written" : "read, and one word written"));
}

/* ---- where blocks go ------------------------------------------------------------------------------------------------ */

/* Waits, so that no block ends before all that fit have started. */
static __global__ void __launch_bounds__(1024) where_am_i(unsigned *sms, long long cycles)
{
	long long start = cycle_counter();
	if (threadIdx.x == 0)
		sms[blockIdx.x] = multiprocessor();
	while (cycle_counter() - start < cycles)
		;
}

static void measure_places()
{
	for (int threads : {256, 1024}) {
		int blocks = sm_count() * (run.properties.maxThreadsPerMultiProcessor / threads);
		buffer sms((size_t)blocks * sizeof(unsigned));
		std::vector<double> at;
		std::vector<samples> values((size_t)blocks);
		for (int repeat = 0; repeat < run.repeats; repeat++) {
			where_am_i<<<blocks, threads>>>(sms.as<unsigned>(), 40000);
			CHECK_LAUNCH();
			std::vector<unsigned> found = sms.download<unsigned>((size_t)blocks);
			for (int b = 0; b < blocks; b++)
				values[(size_t)b].push_back(found[(size_t)b]);
		}
		for (int b = 0; b < blocks; b++)
			at.push_back(b);
		record_table(format("places.sm_of_blocks_of_%d", threads), "count", "block", at, values,
		             "the SM of each block of a launch that fills the GPU once");
	}
}

/* ---- latency under load ------------------------------------------------------------------------------------------------ */

static __global__ void __launch_bounds__(256) link_at_random(char *base, unsigned count, size_t spacing)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
		*(address_t *)(base + i * spacing) = (address_t)(base + (size_t)((i * 1664525u + 1013904223u) & (count - 1)) * spacing);
}

struct loaded_result {
	long long cycles;
	unsigned long long nanoseconds, bytes;
};

/*
 * The first block's first thread follows `steps` pointers past the L1 and says how long it took; all other blocks read 16 bytes per thread and wait for `pause`
 * cycles, again and again until it is done, which they look for every sixteenth time, and count their bytes. done: 0 at first.
 */
static __global__ void __launch_bounds__(512)
	follow_under_load(loaded_result *result, volatile unsigned *done, const char *chain, int steps, const char *memory, size_t size, long long pause)
{
	if (blockIdx.x == 0) {
		if (threadIdx.x != 0)
			return;
		address_t p = (address_t)chain;
		unsigned long long begin = nanosecond_timer();
		long long start = cycle_counter();
#pragma unroll 1
		for (int i = 0; i < steps; i++)
			asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p));
		if (p == 0)
			return;
		result->cycles = cycle_counter() - start;
		result->nanoseconds = nanosecond_timer() - begin;
		*done = 1;
		return;
	}
	unsigned sum = 0, rounds = 0;
	size_t place = (size_t)(blockIdx.x - 1) * 8192 + threadIdx.x * 16;
	while ((rounds % 16 != 0 || *done == 0) && rounds < 1000000) {
		unsigned v[4];
		load_past_l1(v, (address_t)(memory + (place & (size - 1))));
		sum |= fold(v);
		place += (size_t)(gridDim.x - 1) * 8192;
		rounds++;
		long long begin = cycle_counter();
		while (cycle_counter() - begin < pause)
			;
	}
	if (sum == NEVER)
		return;
	if (threadIdx.x == 0)
		atomicAdd(&result->bytes, (unsigned long long)rounds * 8192);
}

/* set: bytes that all read. One table of latencies, one of the bytes per second that the others read meanwhile. */
static void measure_under_load(const char *name, const buffer &memory, size_t set, size_t spacing)
{
	std::vector<double> at;
	std::vector<samples> latencies, rates;
	buffer result(sizeof(loaded_result)), done(4);
	const int steps = 2000;
	unsigned nodes = (unsigned)(set / spacing);
	link_at_random<<<sm_count(), 256>>>(memory.data, nodes, spacing);
	CHECK_LAUNCH();
	for (long long pause : {100000, 16000, 8000, 4000, 2000, 1000, 500, 250, 0}) {
		at.push_back((double)pause);
		latencies.push_back({});
		rates.push_back({});
		for (int repeat = -1; repeat < run.repeats; repeat++) {
			CHECK(cudaMemset(done.data, 0, 4));
			CHECK(cudaMemset(result.data, 0, result.bytes));
			follow_under_load<<<1 + 4 * (sm_count() - 1), 512>>>(result.as<loaded_result>(), done.as<unsigned>(),
			                                                     memory.data + (size_t)random_below(nodes) * spacing, steps, memory.data, set, pause);
			CHECK_LAUNCH();
			loaded_result found = result.download<loaded_result>(1)[0];
			if (repeat < 0)
				continue;
			latencies.back().push_back((double)found.cycles / steps);
			rates.back().push_back((double)found.bytes / ((double)found.nanoseconds * 1e-9));
		}
	}
	record_table(format("loaded.%s_latency_cycles", name), "cycles", "pause in cycles", at, latencies,
	             format("a chain of loads past the L1 through %zu MiB while the other SMs read the same, 16 bytes per thread, 64 warps each, with a pause "
	                    "between two loads",
	                    set >> 20));
	record_table(format("loaded.%s_bytes_per_second", name), "bytes/s", "pause in cycles", at, rates, "what the others read meanwhile");
}

void measure_sharing()
{
	measure_arrays();
	measure_places();
	buffer memory(std::min((size_t)192 << 20, free_bytes() / 4));
	fill(memory);
	measure_shared_sets(memory);
	measure_few_sms(memory);
	measure_dirty_lines(memory);
	size_t far = (size_t)4 << 30, near = (size_t)16 << 20;
	while (far > free_bytes() / 2)
		far /= 2;
	while (near > memory.bytes)
		near /= 2;
	measure_under_load("l2", memory, near, 1024);
	buffer large(far);
	measure_under_load("dram", large, far, 4096);
}
