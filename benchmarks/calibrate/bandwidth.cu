/*
 * Bandwidth of L2 and DRAM by access width, mix and occupancy, timed with events over launches of a fraction of a millisecond or more;
 * and launches that begin with a cold L2, down to a megabyte, where latency, ramp and tail show.
 *
 * DRAM: sets of 8 GiB, a hundred times the L2 and more, so that what it still holds at either end of a launch does not count. L2: a region that fits, past the L1 (ld.global.cg), many passes; a pass starts elsewhere.
 */
#include "kernels.h"

#include <algorithm>

#define THREADS 256
#define BODY 4

enum mix { READ, WRITE, COPY, TWO_READS_ONE_WRITE };
static const char *const mix_names[] = {"read", "write", "copy", "two_reads_one_write"};
/* Bytes moved per element byte. */
static const double mix_traffic[] = {1, 1, 2, 3};

/* Three arrays of the same number of elements; which are used depends on the mix. */
struct arrays {
	char *a, *b, *c;
};

template <int WORDS, mix MIX, path PATH>
static __device__ __forceinline__ void move_elements(const arrays &data, const size_t (&at)[BODY], unsigned &sum)
{
	unsigned v[BODY][WORDS], w[BODY][WORDS];
#pragma unroll
	for (int k = 0; k < BODY; k++) {
		if constexpr (MIX == WRITE) {
#pragma unroll
			for (int i = 0; i < WORDS; i++)
				v[k][i] = (unsigned)at[k];
		} else
			load<PATH>(v[k], (address_t)(data.a + at[k] * (WORDS * 4)));
		if constexpr (MIX == TWO_READS_ONE_WRITE)
			load<PATH>(w[k], (address_t)(data.b + at[k] * (WORDS * 4)));
	}
#pragma unroll
	for (int k = 0; k < BODY; k++) {
		if constexpr (MIX == READ)
			sum ^= fold(v[k]);
		if constexpr (MIX == TWO_READS_ONE_WRITE)
#pragma unroll
			for (int i = 0; i < WORDS; i++)
				v[k][i] += w[k][i];
		if constexpr (MIX != READ)
			store<PATH>(v[k], (address_t)(data.c + at[k] * (WORDS * 4)));
	}
}

/* Each thread moves four elements a round, a grid's threads apart; in each further pass over the same data by other threads. */
template <int WORDS, mix MIX, path PATH>
static __global__ void __launch_bounds__(THREADS) stream(arrays data, unsigned rounds, unsigned passes, unsigned *sink)
{
	unsigned threads = gridDim.x * THREADS, sum = 0;
#pragma unroll 1
	for (unsigned pass = 0; pass < passes; pass++) {
		unsigned block = (blockIdx.x + pass * 37) % gridDim.x;
		size_t first = (size_t)block * THREADS + threadIdx.x;
#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++) {
			size_t at[BODY];
#pragma unroll
			for (int k = 0; k < BODY; k++)
				at[k] = first + ((size_t)round * BODY + k) * threads;
			move_elements<WORDS, MIX, PATH>(data, at, sum);
		}
	}
	if (sum == NEVER)
		*sink = sum;
}

/* One element per thread, as most kernels are written. */
template <int WORDS, mix MIX>
static __global__ void __launch_bounds__(THREADS) stream_once(arrays data, size_t count, unsigned *sink)
{
	size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
	unsigned v[WORDS] = {};
	if (at >= count)
		return;
	if constexpr (MIX != WRITE)
		load<PATH_L1>(v, (address_t)(data.a + at * (WORDS * 4)));
	if constexpr (MIX == READ) {
		if (fold(v) == NEVER)
			*sink = 1;
	} else
		store<PATH_L1>(v, (address_t)(data.c + at * (WORDS * 4)));
}

/* Bytes per second from seconds. */
static samples rate(const samples &seconds, double bytes)
{
	return transform(seconds, [=](double value) { return bytes / value; });
}

/* Bytes that one round of a grid of `blocks` moves in each array. */
static size_t round_bytes_of(unsigned blocks, int words)
{
	return (size_t)blocks * THREADS * BODY * (size_t)words * 4;
}

/* Goes over at most bytes_each bytes of each array, in as many passes as it takes to move bytes_wanted. */
template <int WORDS, mix MIX, path PATH>
static samples stream_rate(const arrays &data, size_t bytes_each, int blocks_per_sm, size_t bytes_wanted)
{
	unsigned blocks = (unsigned)(sm_count() * blocks_per_sm);
	size_t round_bytes = round_bytes_of(blocks, WORDS);
	unsigned rounds = (unsigned)(bytes_each / round_bytes);
	if (rounds == 0)
		throw failure{"a set too small for its grid"};
	unsigned passes = (unsigned)std::max<size_t>(1, bytes_wanted / (rounds * round_bytes));
	samples seconds = measure_seconds(
		nullptr, [=] { stream<WORDS, MIX, PATH><<<blocks, THREADS>>>(data, rounds, passes, nullptr); });
	return rate(seconds, (double)(rounds * round_bytes) * passes * mix_traffic[MIX]);
}

/* The best rate seen for a key, with the configuration that gave it. */
struct best {
	samples values;
	std::string where;
	void offer(const samples &candidate, const std::string &place)
	{
		if (values.empty() || median(candidate) > median(values)) {
			values = candidate;
			where = place;
		}
	}
};

/* One table: rate over the threads per SM. */
template <int WORDS, mix MIX, path PATH>
static void occupancy_table(const char *level, const arrays &data, size_t bytes_each, size_t bytes_wanted, best &most)
{
	std::vector<double> at;
	std::vector<samples> values;
	int largest = std::min(8, run.properties.maxThreadsPerMultiProcessor / THREADS);
	for (int blocks = 1; blocks <= largest; blocks *= 2) {
		if (round_bytes_of((unsigned)(sm_count() * blocks), WORDS) > bytes_each)
			break;
		at.push_back(blocks * THREADS);
		values.push_back(stream_rate<WORDS, MIX, PATH>(data, bytes_each, blocks, bytes_wanted));
		most.offer(values.back(), format("%d bytes per lane, %d threads per SM, four in flight per thread",
		                                 WORDS * 4, blocks * THREADS));
	}
	record_table(format("bandwidth.%s_%s_%d_bytes", level, mix_names[MIX], WORDS * 4), "bytes/s", "threads per SM",
	             at, values,
	             "bytes read and written over the time of a launch, four accesses in flight per thread and array");
	progress("  %s %s, %d bytes: %.0f GB/s", level, mix_names[MIX], WORDS * 4, median(values.back()) * 1e-9);
}

template <mix MIX, path PATH>
static best mix_tables(const char *level, const arrays &data, size_t bytes_each, size_t bytes_wanted)
{
	best most;
	occupancy_table<1, MIX, PATH>(level, data, bytes_each, bytes_wanted, most);
	occupancy_table<2, MIX, PATH>(level, data, bytes_each, bytes_wanted, most);
	occupancy_table<4, MIX, PATH>(level, data, bytes_each, bytes_wanted, most);
	return most;
}

/* ---- DRAM ------------------------------------------------------------------------------------------------- */

template <int WORDS, mix MIX> static void once_rate(const arrays &data, size_t bytes, best &most)
{
	size_t count = bytes / (WORDS * 4);
	unsigned blocks = (unsigned)(count / THREADS);
	samples seconds = measure_seconds(nullptr, [=] {
		stream_once<WORDS, MIX><<<blocks, THREADS>>>(data, (size_t)blocks * THREADS, nullptr);
	});
	samples values = rate(seconds, (double)blocks * THREADS * WORDS * 4 * mix_traffic[MIX]);
	record(format("bandwidth.dram_%s_%d_bytes_one_per_thread", mix_names[MIX], WORDS * 4), "bytes/s", values,
	       "one element per thread, blocks of 256");
	most.offer(values, format("%d bytes per lane, one element per thread", WORDS * 4));
}

/* Rate over the size of the set, 16 bytes per lane: a loop over the grid with 1024 threads per SM, or one element per thread. */
template <mix MIX> static void set_tables(const arrays &data, size_t bytes)
{
	const int blocks_per_sm = 4;
	std::vector<double> at;
	std::vector<samples> loops, once;
	size_t least = round_bytes_of((unsigned)(sm_count() * blocks_per_sm), 4);
	for (size_t set = bytes; set >= std::max(bytes >> 6, least); set /= 2) {
		unsigned blocks = (unsigned)(set / 16 / THREADS);
		at.insert(at.begin(), (double)set);
		loops.insert(loops.begin(), stream_rate<4, MIX, PATH_L1>(data, set, blocks_per_sm, 0));
		once.insert(once.begin(), rate(measure_seconds(nullptr,
		                                               [=] {
								       stream_once<4, MIX><<<blocks, THREADS>>>(
									       data, (size_t)blocks * THREADS, nullptr);
							       }),
		                               (double)blocks * THREADS * 16 * mix_traffic[MIX]));
	}
	const char *name = mix_names[MIX];
	record_table(format("bandwidth.dram_%s_by_set_loop", name), "bytes/s", "bytes per array", at, loops,
	             "one pass over the set, 16 bytes per lane, 1024 threads per SM, four in flight per thread and array");
	record_table(format("bandwidth.dram_%s_by_set_one_per_thread", name), "bytes/s", "bytes per array", at, once,
	             "one pass over the set, one element of 16 bytes per thread, blocks of 256");
}

static void record_best(const char *key, const best &most, const char *what)
{
	record(key, "bytes/s", most.values, std::string(what) + ", the best configuration: " + most.where);
}

static void measure_dram(size_t bytes)
{
	buffer a(bytes), b(bytes), c(bytes);
	fill(a);
	fill(b);
	arrays data = {a.data, b.data, c.data};
	best read = mix_tables<READ, PATH_L1>("dram", data, bytes, 0);
	best write = mix_tables<WRITE, PATH_L1>("dram", data, bytes, 0);
	best copy = mix_tables<COPY, PATH_L1>("dram", data, bytes, 0);
	mix_tables<TWO_READS_ONE_WRITE, PATH_L1>("dram", data, bytes, 0);
	once_rate<1, READ>(data, bytes, read);
	once_rate<4, READ>(data, bytes, read);
	once_rate<1, WRITE>(data, bytes, write);
	once_rate<4, WRITE>(data, bytes, write);
	once_rate<1, COPY>(data, bytes, copy);
	once_rate<2, COPY>(data, bytes, copy);
	once_rate<4, COPY>(data, bytes, copy);
	set_tables<READ>(data, bytes);
	set_tables<COPY>(data, bytes);
	record_best("dram.read_bandwidth_bytes_per_second", read, "a set far beyond the L2");
	record_best("dram.write_bandwidth_bytes_per_second", write, "a set far beyond the L2");
	record_best("dram.copy_bandwidth_bytes_per_second", copy, "sets far beyond the L2, bytes read and written");
}

/* ---- L2 ------------------------------------------------------------------------------------------------------ */

static void measure_l2(size_t bytes)
{
	size_t wanted = (size_t)(run.quick ? 32 : 4096) << 20, set = bytes / 4 / 256 * 256;
	buffer memory(3 * set);
	fill(memory);
	arrays data = {memory.data, memory.data + set, memory.data + 2 * set};
	best read = mix_tables<READ, PATH_L2>("l2", data, set, wanted);
	best write = mix_tables<WRITE, PATH_L2>("l2", data, set, wanted);
	mix_tables<COPY, PATH_L2>("l2", data, set, wanted);
	best plain;
	occupancy_table<4, READ, PATH_L1>("l2_default_load", data, set, wanted, plain);
	read.offer(plain.values, plain.where + ", default loads");
	record_best("l2.bandwidth_bytes_per_second", read, "a quarter of the L2's size, gigabytes in all");
	record_best("l2.write_bandwidth_bytes_per_second", write, "a quarter of the L2's size, gigabytes in all");
}

/* Read rate over the size of the set: where the L2's near half ends, and the L2. */
static void measure_l2_footprints()
{
	std::vector<double> at;
	std::vector<samples> values;
	const int blocks_per_sm = 2;
	size_t step = round_bytes_of((unsigned)(sm_count() * blocks_per_sm), 4);
	buffer memory(step * 192);
	fill(memory);
	for (size_t rounds : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 32, 64, 192}) {
		at.push_back((double)(rounds * step));
		values.push_back(stream_rate<4, READ, PATH_L2>({memory.data, nullptr, nullptr}, rounds * step,
		                                               blocks_per_sm, (size_t)(run.quick ? 32 : 2048) << 20));
	}
	record_table("curve.read_bandwidth", "bytes/s", "bytes", at, values,
	             "reading a set again and again, 16 bytes per lane, past the L1, 512 threads per SM");
}

/* ---- single sectors in random order ---------------------------------------------------------------------------------- */

/* One word of a sector of 32 bytes per thread; the sector is a hash of the thread's number. count is a power of two. */
static __global__ void __launch_bounds__(THREADS) read_sectors(const char *base, unsigned count, unsigned *sink)
{
	unsigned at = (blockIdx.x * THREADS + threadIdx.x) * 2654435761u, v[1];
	at = (at ^ at >> 15) * 2246822519u & (count - 1);
	load<PATH_L1>(v, (address_t)(base + (size_t)at * 32));
	if (v[0] == NEVER)
		*sink = 1;
}

static void measure_random_sectors()
{
	size_t largest = std::min((size_t)2 << 30, free_bytes() / 2);
	std::vector<double> at;
	std::vector<samples> values;
	size_t sectors = 1 << 16;
	while (sectors * 2 * 32 <= largest)
		sectors *= 2;
	buffer memory(sectors * 32);
	fill(memory);
	unsigned blocks = (unsigned)std::min<size_t>(sectors, 1 << 25) / THREADS;
	for (size_t set = 1 << 16; set <= sectors; set *= 2) {
		at.push_back((double)set * 32);
		values.push_back(rate(measure_seconds(nullptr,
		                                      [&] {
							      read_sectors<<<blocks, THREADS>>>(memory.data,
			                                                                        (unsigned)set, nullptr);
						      }),
		                      (double)blocks * THREADS));
	}
	record_table("curve.random_sectors_per_second", "operations/s", "bytes", at, values,
	             "reading one word of a sector of 32 bytes per thread, in random order, from sets of so many "
	             "bytes; one load per thread");
}

/* ---- cold launches ---------------------------------------------------------------------------------------------- */

/* Seconds of one launch after the L2 was filled with other lines, clean or dirty, over the bytes of each array. */
template <mix MIX> static void cold_table(const char *key, bool dirty, const arrays &data, size_t largest)
{
	std::vector<double> at;
	std::vector<samples> values;
	for (size_t bytes = (size_t)1 << 18; bytes <= largest; bytes *= 4) {
		unsigned blocks = (unsigned)(bytes / (THREADS * 4));
		at.push_back((double)bytes);
		values.push_back(measure_seconds(
			[=] { evict_l2(dirty); },
			[=] { stream_once<1, MIX><<<blocks, THREADS>>>(data, (size_t)blocks * THREADS, nullptr); }));
	}
	record_table(key, "s", "bytes per array", at, values,
	             format("%s, one word per thread, blocks of 256, between two events, after a kernel that %s four "
	                    "times the L2",
	                    mix_names[MIX], dirty ? "overwrites" : "reads"));
}

static void measure_cold_launches()
{
	size_t largest = (size_t)1 << 28;
	buffer a(largest), c(largest);
	fill(a);
	arrays data = {a.data, nullptr, c.data};
	cold_table<READ>("cold.read_after_clean_seconds", false, data, largest);
	cold_table<READ>("cold.read_after_dirty_seconds", true, data, largest);
	cold_table<WRITE>("cold.write_after_dirty_seconds", true, data, largest);
	cold_table<COPY>("cold.copy_after_dirty_seconds", true, data, largest);
}

void measure_bandwidth()
{
	size_t l2 = (size_t)std::max(run.properties.l2CacheSize, 4 << 20);
	size_t dram = std::min((size_t)8 << 30, free_bytes() / 4);
	measure_dram(dram);
	measure_l2(l2);
	measure_l2_footprints();
	measure_random_sectors();
	measure_cold_launches();
}
