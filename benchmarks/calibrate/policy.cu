/*
 * What a miss fetches, how large lines and sectors are, and what stores do.
 *
 * Pairs: a chain goes from place A of a block to place B of the same block, then to A of the next block. Every A misses; whether B
 * hits shows in the cycles per pair. Cold in L1, all in L2: the sector of the L1. Cold in L2: what is fetched from DRAM at once.
 * L1 tags: the number of places, so many bytes apart, that a chain can visit again and again at L1 speed.
 * Stores: time of writing parts of sectors against whole ones, in a set far beyond the L2: a partly written sector has to be
 * completed from DRAM. And loads after stores: whether a store leaves its sector in the L1.
 */
#include "kernels.h"

#include <algorithm>

#define BLOCK_SPACING ((size_t)4096 + 128)
#define PAIRS 256

/* ---- pairs ----------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(256)
	link_pairs(char *base, unsigned pairs, size_t spacing, unsigned a, unsigned b)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
		char *block = base + i * spacing, *next = base + (i + 1 < pairs ? i + 1 : 0) * spacing;
		*(address_t *)(block + b) = (address_t)(next + a);
		*(address_t *)(block + a) = (address_t)(block + b);
	}
}

static __global__ void __launch_bounds__(32) follow_pairs(span *spans, address_t *position, int steps)
{
	address_t p = *position;
	long long start = cycle_counter();
#pragma unroll 1
	for (int i = 0; i < steps; i += 4)
#pragma unroll
		for (int k = 0; k < 4; k++)
			asm volatile("ld.global.u64 %0, [%0];" : "+l"(p));
	if (p == 0)
		return;
	span_write(spans, start, cycle_counter());
}

static __global__ void __launch_bounds__(256) touch_past_l1(const char *base, size_t words, unsigned *sink)
{
	unsigned sum = 0, v[1];
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += (size_t)gridDim.x * blockDim.x) {
		load_past_l1(v, (address_t)(base + i * 4));
		sum |= v[0] & 1;
	}
	if (sum == NEVER)
		*sink = sum;
}

/* Cycles per pair, B being b bytes into a block whose place a was loaded just before. cold: nothing of it in the L2. */
static samples pair_cycles(unsigned a, unsigned b, bool cold)
{
	buffer memory(PAIRS * BLOCK_SPACING), position(8);
	position.upload(std::vector<address_t>{(address_t)(memory.data + a)});
	samples cycles = measure_cycles(1, 1, [&](span *spans) {
		link_pairs<<<1, 256>>>(memory.data, PAIRS, BLOCK_SPACING, a, b);
		CHECK(cudaGetLastError());
		if (cold)
			evict_l2(false);
		else
			touch_past_l1<<<sm_count(), 256>>>(memory.data, memory.bytes / 4, nullptr);
		CHECK(cudaGetLastError());
		follow_pairs<<<1, 1>>>(spans, position.as<address_t>(), 2 * PAIRS);
	});
	return transform(cycles, [](double value) { return value / PAIRS; });
}

static samples limits_of(double value)
{
	return samples((size_t)run.repeats, value);
}

/*
 * Smallest distance from the start of a block at which B is no longer brought by A: nearer to the cycles of two sure misses than to those of a
 * miss and a sure hit. 0 where none is found, or the two cannot be told apart.
 */
static unsigned fetched_bytes(const char *key, const char *method, bool cold)
{
	double second_hits = median(pair_cycles(0, 8, cold)), both_miss = median(pair_cycles(0, 2048, cold));
	std::vector<double> at;
	std::vector<samples> values;
	unsigned fetched = 0;
	for (unsigned b : {16, 32, 64, 96, 128, 160, 192, 224, 256, 512, 1024}) {
		samples cycles = pair_cycles(0, b, cold);
		if (!fetched && both_miss > 1.15 * second_hits && median(cycles) > (both_miss + second_hits) / 2)
			fetched = b;
		at.push_back(b);
		values.push_back(cycles);
	}
	record_table(key, "cycles", "bytes from the first load", at, values, method);
	return fetched;
}

static void measure_fetches()
{
	unsigned sector =
		fetched_bytes("fetch.l1_pair_cycles",
	                      "two dependent loads of a block, the first a miss in L1 and a hit in L2", false);
	if (sector)
		record("l1.sector_bytes", "bytes", limits_of(sector),
		       "smallest distance at which the second of two loads, all in the L2, misses the L1 too");
	unsigned granularity =
		fetched_bytes("fetch.dram_pair_cycles", "two dependent loads of a block, the first a miss in L2", true);
	if (granularity)
		record("dram.access_granularity_bytes", "bytes", limits_of(granularity),
		       "smallest distance at which the second of two loads of a cold block goes to DRAM too; blocks "
		       "begin at multiples of 128 bytes");
	for (unsigned a : {32, 64, 96}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (unsigned b = 0; b < 256; b += 32) {
			at.push_back(b);
			values.push_back(pair_cycles(a, b + 8, true));
		}
		record_table(format("fetch.dram_pair_cycles_from_%u", a), "cycles",
		             "sector of the second load, bytes into the block", at, values,
		             format("two dependent loads of a cold block, the first %u bytes into it", a));
	}
}

/* ---- L1 tags ---------------------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(256) link_places(char *base, const unsigned *offsets, unsigned count)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
		*(address_t *)(base + offsets[i]) = (address_t)(base + offsets[i + 1 < count ? i + 1 : 0]);
}

/* Goes through the chain twice, timing the second round. */
static __global__ void __launch_bounds__(32) follow_twice(span *spans, const address_t *position, int steps)
{
	address_t p = *position;
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter();
#pragma unroll 1
		for (int i = 0; i < steps; i += 4)
#pragma unroll
			for (int k = 0; k < 4; k++)
				asm volatile("ld.global.u64 %0, [%0];" : "+l"(p));
		if (p == 0)
			return;
	}
	span_write(spans, start, cycle_counter());
}

/* Blocks of this many bytes are chosen at random, and places visited in them. */
#define CLUSTER 1024

/* Places `spacing` bytes apart, one after the other. */
static std::vector<unsigned> packed_places(unsigned count, unsigned spacing)
{
	std::vector<unsigned> offsets;
	for (uint32_t place : random_order(count))
		offsets.push_back(place * spacing);
	return offsets;
}

/*
 * Places `spacing` bytes apart in blocks chosen at random, beginning at a random multiple of 32 bytes below the spacing. All sets of a
 * cache are used alike whatever the spacing, so the number of lines that it keeps of such places does not depend on it.
 */
static std::vector<unsigned> clustered_places(unsigned count, unsigned spacing, unsigned clusters)
{
	std::vector<unsigned> all, offsets;
	std::vector<uint32_t> blocks = random_order(clusters);
	for (unsigned block = 0; all.size() < count; block++) {
		unsigned shift = random_below(spacing / 32) * 32;
		for (unsigned at = 0; at < CLUSTER && all.size() < count; at += spacing)
			all.push_back(blocks.at(block) * CLUSTER + at + shift);
	}
	for (uint32_t place : random_order(count))
		offsets.push_back(all[place]);
	return offsets;
}

/* Cycles per load of going again through places. */
static double revisit_cycles(const buffer &memory, const std::vector<unsigned> &offsets)
{
	unsigned count = (unsigned)offsets.size();
	if (*std::max_element(offsets.begin(), offsets.end()) + 8 > memory.bytes)
		throw failure{"places beyond their buffer"};
	buffer order(count * sizeof(unsigned)), position(8), spans(sizeof(span));
	order.upload(offsets);
	position.upload(std::vector<address_t>{(address_t)(memory.data + offsets[0])});
	link_places<<<8, 256>>>(memory.data, order.as<unsigned>(), count);
	CHECK(cudaGetLastError());
	follow_twice<<<1, 1>>>(spans.as<span>(), position.as<address_t>(), (int)(count / 4 * 4));
	CHECK_LAUNCH();
	span time = spans.download<span>(1)[0];
	if (time.stop <= time.start)
		throw failure{"a chain without a time"};
	return (double)(time.stop - time.start) / (count / 4 * 4);
}

#define PLACES 16384

/* Most places that stay in the L1: cycles per load under 1.2 times those of a few places. By halving, to 1/64. */
static double places_kept(const buffer &memory, double hit, const std::function<std::vector<unsigned>(unsigned)> &make)
{
	unsigned low = 64, high = PLACES;
	while (high - low > std::max(16u, low / 64)) {
		unsigned middle = (low + high) / 2;
		if (revisit_cycles(memory, make(middle)) < hit * 1.2)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void measure_tags()
{
	std::vector<double> at = {32, 64, 128, 256, 512};
	std::vector<samples> kept;
	samples packed;
	buffer memory((size_t)PLACES * CLUSTER);
	CHECK(cudaFuncSetAttribute(follow_twice, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
	double hit = revisit_cycles(memory, packed_places(64, 128));
	for (double spacing : at) {
		samples places;
		for (int repeat = 0; repeat < run.repeats; repeat++)
			places.push_back(places_kept(memory, hit, [=](unsigned count) {
				return clustered_places(count, (unsigned)spacing, PLACES);
			}));
		kept.push_back(places);
	}
	for (int repeat = 0; repeat < run.repeats; repeat++)
		packed.push_back(128 * places_kept(memory, hit, [](unsigned count) { return packed_places(count, 128); }));
	record_table("l1.places_kept", "count", "bytes apart", at, kept,
	             format("most places that one thread can visit in a circle with loads under 1.2 times the L1 latency, "
	                    "places so far apart in blocks of %d bytes chosen at random; largest L1 carve-out",
	                    CLUSTER));
	record("l1.data_bytes", "bytes", packed,
	       "128 times the most neighbouring lines that stay in the L1 when visited in a circle, largest L1 carve-out");
	for (size_t i = 0; i + 1 < at.size(); i++)
		if (median(kept[i]) < 1.41 * median(kept[i + 1])) {
			record("l1.line_bytes", "bytes", limits_of(at[i]),
			       "smallest distance beyond which the L1 keeps as many places (one tag each), not half as many");
			break;
		}
}

/* ---- stores ------------------------------------------------------------------------------------------------- */

/*
 * Records of `stride` bytes, of which a thread writes the first `words` words. A block has 256 records at a time, some times in a row:
 * with one record per thread the rate at which blocks start (launch.block_of_256_seconds) would be what is measured.
 */
#define RECORDS_PER_THREAD 16

static unsigned record_blocks(size_t count)
{
	return (unsigned)((count + 256 * RECORDS_PER_THREAD - 1) / (256 * RECORDS_PER_THREAD));
}

static __global__ void __launch_bounds__(256) write_records(char *base, size_t count, unsigned stride, unsigned words)
{
	size_t first = blockIdx.x * (size_t)(256 * RECORDS_PER_THREAD) + threadIdx.x;
#pragma unroll 4
	for (int k = 0; k < RECORDS_PER_THREAD; k++) {
		size_t i = first + (size_t)k * 256;
		if (i >= count)
			return;
		for (unsigned w = 0; w < words; w++) {
			unsigned v[1] = {(unsigned)i + w};
			store_default(v, (address_t)(base + i * stride + w * 4));
		}
	}
}

static samples write_seconds(const buffer &memory, size_t bytes, unsigned stride, unsigned words)
{
	size_t count = bytes / stride;
	return measure_seconds(
		nullptr, [&] { write_records<<<record_blocks(count), 256>>>(memory.data, count, stride, words); });
}

static __global__ void __launch_bounds__(256)
	read_records(const char *base, size_t count, unsigned stride, unsigned *sink)
{
	size_t first = blockIdx.x * (size_t)(256 * RECORDS_PER_THREAD) + threadIdx.x;
	unsigned sum = 0, v[RECORDS_PER_THREAD][1];
#pragma unroll
	for (int k = 0; k < RECORDS_PER_THREAD; k++) {
		size_t i = first + (size_t)k * 256;
		load_default(v[k], (address_t)(base + (i < count ? i : count - 1) * stride));
	}
#pragma unroll
	for (int k = 0; k < RECORDS_PER_THREAD; k++)
		sum |= v[k][0];
	if (sum == NEVER)
		*sink = sum;
}

static void measure_strided_dram(const buffer &memory, size_t bytes)
{
	std::vector<double> at;
	std::vector<samples> reads, writes;
	for (unsigned stride : {4, 8, 16, 32, 64, 96, 128, 192, 256, 512}) {
		size_t count = bytes / stride;
		at.push_back(stride);
		reads.push_back(measure_seconds(nullptr, [&] {
			read_records<<<record_blocks(count), 256>>>(memory.data, count, stride, nullptr);
		}));
		writes.push_back(write_seconds(memory, bytes, stride, 1));
	}
	std::string set = format("one word of 4 bytes in so many, over %zu MiB", bytes >> 20);
	record_table("strided.dram_read_seconds", "s", "bytes from word to word", at, reads, "reading " + set);
	record_table("strided.dram_write_seconds", "s", "bytes from word to word", at, writes, "writing " + set);
}

/*
 * Half lines: two lanes read the two sectors of 64 bytes, and the next two lanes those so many bytes further on. times: halves that a lane reads one after the other,
 * as far as the next lane's first one; 1: only that one.
 */
template <int TIMES>
static __global__ void __launch_bounds__(256) read_halves(const char *base, size_t halves, unsigned apart, unsigned *sink)
{
	size_t lane = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	unsigned sum = 0, v[TIMES][1];
	if (lane / 2 >= halves)
		return;
#pragma unroll
	for (int k = 0; k < TIMES; k++)
		load_default(v[k], (address_t)(base + lane / 2 * apart + lane % 2 * 32 + k * 64));
#pragma unroll
	for (int k = 0; k < TIMES; k++)
		sum |= v[k][0];
	if (sum == NEVER)
		*sink = sum;
}

template <int TIMES> static samples half_seconds(const buffer &memory, unsigned apart)
{
	size_t halves = memory.bytes / apart;
	return measure_seconds([] { evict_l2(false); }, [&] {
		read_halves<TIMES><<<(unsigned)((2 * halves + 255) / 256), 256>>>(memory.data, halves, apart, nullptr);
	});
}

static void measure_half_lines()
{
	buffer memory(std::min((size_t)4 << 30, free_bytes() / 4));
	fill(memory);
	std::vector<double> at = {64, 128, 192, 256, 384, 512}, both_at = {64, 128, 256, 512, 1024};
	std::vector<samples> alone;
	for (double apart : at)
		alone.push_back(half_seconds<1>(memory, (unsigned)apart));
	std::vector<samples> both = {half_seconds<1>(memory, 64), half_seconds<2>(memory, 128), half_seconds<4>(memory, 256),
	                             half_seconds<8>(memory, 512), half_seconds<16>(memory, 1024)};
	std::string set = format("of a set of %zu MiB, a word of each sector, two lanes for a half line", memory.bytes >> 20);
	record_table("half_lines.alone_seconds", "s", "bytes from half line to half line", at, alone,
	             "reading a half line of 64 bytes in so many bytes " + set);
	record_table("half_lines.both_seconds", "s", "bytes from half line to half line", both_at, both,
	             "reading all, the half lines that lie between by the same lanes afterwards, " + set);
}

static samples ratios(const samples &part, const samples &whole)
{
	samples values;
	double unit = median(whole);
	for (double value : part)
		values.push_back(value / unit);
	return values;
}

static void measure_partial_writes(const buffer &memory, size_t bytes)
{
	samples whole = write_seconds(memory, bytes, 4, 1);
	samples word = write_seconds(memory, bytes, 32, 1), half = write_seconds(memory, bytes, 8, 1),
		padded = write_seconds(memory, bytes, 16, 3);
	record("write_policy.one_word_per_sector_ratio", "ratio", ratios(word, whole),
	       "time of writing one word of every sector over that of writing all words of the same gigabyte");
	record("write_policy.every_second_word_ratio", "ratio", ratios(half, whole), "the same, every second word");
	record("write_policy.three_words_of_four_ratio", "ratio", ratios(padded, whole),
	       "the same, three stores for the first three of every four words");
	record("write_policy.partial_sector_is_filled", "boolean", transform(half, [=](double value) { return value > 1.4 * median(whole); }),
	                "writing every second word takes over 1.4 times as long as writing all: sectors are completed "
	                "from DRAM");
}

/*
 * A place a line further on each step: KIND 0 only loads; 1 stores beside the pointer, in its sector, then loads it. `warm` rounds before.
 */
template <int KIND>
static __global__ void __launch_bounds__(32)
	store_then_load(span *spans, const address_t *position, int steps, int rounds)
{
	address_t first = *position, p = first;
	unsigned v[1] = {7};
	long long start = 0;
#pragma unroll 1
	for (int round = 0; round <= rounds; round++) {
		p = first;
		start = cycle_counter();
#pragma unroll 1
		for (int i = 0; i < steps; i++) {
			if (KIND == 1 && round == rounds)
				store_default(v, p + 16);
			asm volatile("ld.global.u64 %0, [%0];" : "+l"(p));
		}
		if (p == 0)
			return;
	}
	span_write(spans, start, cycle_counter());
}

template <int KIND> static samples after_store(const buffer &memory, const buffer &position, int rounds)
{
	samples cycles = measure_cycles(1, 1, [&](span *spans) {
		touch_past_l1<<<sm_count(), 256>>>(memory.data, memory.bytes / 4, nullptr);
		CHECK(cudaGetLastError());
		store_then_load<KIND><<<1, 1>>>(spans, position.as<address_t>(), 256, rounds);
	});
	return transform(cycles, [](double value) { return value / 256; });
}

static void measure_loads_after_stores()
{
	std::vector<uint32_t> order = random_order(256);
	std::vector<unsigned> offsets;
	for (uint32_t place : order)
		offsets.push_back(place * 128);
	buffer memory(256 * 128), places(256 * sizeof(unsigned)), position(8);
	places.upload(offsets);
	position.upload(std::vector<address_t>{(address_t)(memory.data + offsets[0])});
	link_places<<<1, 256>>>(memory.data, places.as<unsigned>(), 256);
	CHECK_LAUNCH();
	samples miss = after_store<0>(memory, position, 0), hit = after_store<0>(memory, position, 1);
	samples stored = after_store<1>(memory, position, 0), stored_again = after_store<1>(memory, position, 1);
	record("write_policy.load_cycles", "cycles", miss, "a chain of loads that miss L1 and hit L2, one per line");
	record("write_policy.load_again_cycles", "cycles", hit, "the same in the second round: L1 hits");
	record("write_policy.store_load_cycles", "cycles", stored,
	       "each load preceded by a store of another word to its sector, not in L1 before");
	record("write_policy.store_load_again_cycles", "cycles", stored_again,
	       "the same, sectors in L1 before the store");
	double limit = (median(miss) + median(hit)) / 2;
	auto hits = [=](double value) { return value < limit; };
	record("write_policy.store_allocates_in_l1", "boolean", transform(stored, hits),
	                "a load after a store to its sector, not in L1 before, hits");
	record("write_policy.store_keeps_l1_sector", "boolean", transform(stored_again, hits),
	                "a load after a store to its sector, in L1 before, hits");
}

void measure_policy()
{
	measure_fetches();
	measure_tags();
	measure_loads_after_stores();
	size_t bytes = std::min((size_t)1 << 30, free_bytes() / 4);
	buffer memory(bytes);
	fill(memory);
	measure_partial_writes(memory, bytes);
	measure_strided_dram(memory, bytes);
	measure_half_lines();
}
