/*
 * Where loads wait: the schedulers' queues in front of the load-store unit, the loads that one SM can have on their way, and who goes on when a place is free.
 *
 * Issue: a warp issues U accesses in a row between two readings of the clock, none of which waits for a result; so the second reading says when
 * the last of them was issued. Few accesses go at the rate of the instruction stream, more at that of the queue, still more at that of the unit behind it.
 * Loads that hit the L1, loads from shared memory, stores; then loads that all miss, of 1 to 32 lines each: the number of loads after which the
 * last is issued late by a whole DRAM latency is what an SM can have on its way. The same lines for all warps: what a load of a line on its way costs.
 * Shares: warps load new lines all the time, and each counts its rounds until a common moment.
 */
#include "kernels.h"

#include <algorithm>

/* What is issued. */
enum access { ACCESS_HIT, ACCESS_SHARED, ACCESS_STORE, ACCESS_STORE_SHARED };

/* The second pass counts: its code is in the instruction caches, its lines in the L1. */
template <access KIND, int U>
static __global__ void __launch_bounds__(1024, 1) issue_in_a_row(span *spans, char *memory, unsigned lane_bytes)
{
	__shared__ unsigned words[8192];
	unsigned v[U > 0 ? U : 1][1], sum = 0;
	address_t global = (address_t)memory + threadIdx.x % 32 * lane_bytes, local = shared_address(words) + threadIdx.x % 32 * lane_bytes;
	words[threadIdx.x] = 1;
	long long start = 0, stop = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll
		for (int u = 0; u < U; u++) {
			if constexpr (KIND == ACCESS_HIT)
				load_default(v[u], global + u * 4);
			else if constexpr (KIND == ACCESS_SHARED)
				load_shared(v[u], local + u * 4);
			else {
				v[u][0] = threadIdx.x;
				if constexpr (KIND == ACCESS_STORE)
					store_default(v[u], global + u * 4);
				else
					store_shared(v[u], local + u * 4);
			}
		}
		stop = cycle_counter();
#pragma unroll
		for (int u = 0; u < U; u++)
			sum |= v[u][0];
		if (sum == NEVER && global + local != 1)
			return;
	}
	span_write(spans, start, stop);
}

template <access KIND, int U>
static void issue_point(int warps, unsigned lane_bytes, const buffer &memory, std::vector<double> &at, std::vector<samples> &values)
{
	at.push_back(U);
	values.push_back(measure_cycles(
		1, warps, [&](span *spans) { issue_in_a_row<KIND, U><<<1, warps * 32>>>(spans, memory.data, lane_bytes); }));
}

template <access KIND> static void measure_issue(const char *name, unsigned lane_bytes, const buffer &memory)
{
	for (int warps : {1, 4, 8, 16, 32}) {
		std::vector<double> at;
		std::vector<samples> values;
		issue_point<KIND, 0>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 1>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 2>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 3>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 4>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 5>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 6>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 7>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 8>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 10>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 12>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 16>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 24>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 28>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 32>(warps, lane_bytes, memory, at, values);
		issue_point<KIND, 40>(warps, lane_bytes, memory, at, values);
		record_table(format("queue.%s_lanes_%u_bytes_apart_%d_warps", name, lane_bytes, warps), "cycles", "accesses", at, values,
		             format("from the first warp's first to the last warp's last of so many accesses in a row in each of %d warps of one SM, the clock's "
		                    "own reading included (0 accesses)",
		                    warps));
	}
}

/* ---- loads on their way ----------------------------------------------------------------------------------------- */

/* From load to load of a warp: past what the load before it reads, and another page's worth on. */
#define LOAD_APART(LANE_BYTES) (32 * (LANE_BYTES) + 4096)

/*
 * Each warp issues U loads of new lines, at constant distances, so that one address serves all of them: were addresses computed between the loads, their
 * registers would have to wait until the queue has read them. spans: from the start to the last issue; done: to the last result. of_warp: bytes
 * from warp to warp; 0: all warps load the same lines.
 */
template <int LANE_BYTES, int U>
static __global__ void __launch_bounds__(1024, 1) issue_misses(span *spans, span *done, const char *memory, size_t of_warp)
{
	unsigned v[U][1], sum = 0;
	size_t warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
	address_t a = (address_t)memory + threadIdx.x % 32 * LANE_BYTES + warp * of_warp;
	asm volatile("add.u64 %0, %0, %1;" : "+l"(a) : "l"((address_t)(a == 1)));
	long long start = cycle_counter_together();
#pragma unroll
	for (int u = 0; u < U; u++)
		load_default(v[u], a + u * LOAD_APART(LANE_BYTES));
	long long stop = cycle_counter();
#pragma unroll
	for (int u = 0; u < U; u++)
		sum |= v[u][0];
	if (sum == NEVER && a != 1)
		return;
	span_write(done, start, cycle_counter());
	span_write(spans, start, stop);
}

/*
 * U loads in each warp, and two more in the first `more` warps: how many an SM accepts, to the load. of_warp as above.
 */
template <int U>
static __global__ void __launch_bounds__(1024, 1) issue_some_more(span *spans, const char *memory, size_t of_warp, unsigned more)
{
	unsigned v[U + 2][1], sum = 0, warp = threadIdx.x / 32;
	address_t a = (address_t)memory + threadIdx.x % 32 * 4 + warp * of_warp;
	long long start = cycle_counter_together();
#pragma unroll
	for (int u = 0; u < U; u++)
		load_default(v[u], a + u * LOAD_APART(4));
	v[U][0] = v[U + 1][0] = 0;
	if (warp < more) {
		load_default(v[U], a + U * LOAD_APART(4));
		load_default(v[U + 1], a + (U + 1) * LOAD_APART(4));
	}
	long long stop = cycle_counter();
#pragma unroll
	for (int u = 0; u < U + 2; u++)
		sum |= v[u][0];
	if (sum == NEVER && a != 1)
		return;
	span_write(spans, start, stop);
}

struct misses {
	std::vector<double> at;
	std::vector<samples> issued, done;
};

/* Cycles from the first start to the last stop of the warps of one block. */
static double longest(const std::vector<span> &spans)
{
	long long start = spans[0].start, stop = spans[0].stop;
	for (const span &warp : spans) {
		start = std::min(start, warp.start);
		stop = std::max(stop, warp.stop);
	}
	return (double)(stop - start);
}

template <int LANE_BYTES, int U> static void misses_point(const buffer &memory, int warps, bool same, size_t &next, misses &into)
{
	size_t bytes = (size_t)LOAD_APART(LANE_BYTES) * U, of_warp = same ? 0 : bytes, launch_bytes = bytes * (same ? 1 : (size_t)warps);
	buffer spans(warps * sizeof(span)), done(warps * sizeof(span));
	samples issued, finished;
	for (int repeat = -1; repeat < run.repeats; repeat++) {
		if (next + launch_bytes > memory.bytes) {
			evict_l2(false);
			next = 0;
		}
		issue_misses<LANE_BYTES, U><<<1, warps * 32>>>(spans.as<span>(), done.as<span>(), memory.data + next, of_warp);
		CHECK_LAUNCH();
		next += launch_bytes;
		if (repeat < 0)
			continue;
		issued.push_back(longest(spans.download<span>(warps)));
		finished.push_back(longest(done.download<span>(warps)));
	}
	into.at.push_back(U * warps);
	into.issued.push_back(issued);
	into.done.push_back(finished);
}

template <int LANE_BYTES> static void measure_misses(const buffer &memory, int warps, bool same)
{
	misses found;
	size_t next = memory.bytes;
	misses_point<LANE_BYTES, 1>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 4>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 8>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 12>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 16>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 18>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 20>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 22>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 24>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 28>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 32>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 40>(memory, warps, same, next, found);
	misses_point<LANE_BYTES, 48>(memory, warps, same, next, found);
	std::string name = format("misses.lanes_%d_bytes_apart_%d_warps%s", LANE_BYTES, warps, same ? "_same_lines" : "");
	std::string method = format("one SM, %d warps, each so many loads in a row of %s lines not in the L2, lanes %d bytes apart", warps,
	                            same ? "the same" : "new", LANE_BYTES);
	record_table(name + "_issued", "cycles", "loads", found.at, found.issued, method + ": until the last is issued");
	record_table(name + "_done", "cycles", "loads", found.at, found.done, method + ": until the last is there");
}

template <int LANE_BYTES> static void measure_misses_of(const buffer &memory)
{
	for (int warps : {8, 16, 32})
		measure_misses<LANE_BYTES>(memory, warps, false);
	measure_misses<LANE_BYTES>(memory, 32, true);
}

template <int U>
static void limit_points(const buffer &memory, bool same, size_t &next, std::vector<double> &at, std::vector<samples> &values)
{
	size_t of_warp = same ? 0 : (U + 2) * LOAD_APART(4), bytes = (U + 2) * LOAD_APART(4) * (same ? 1 : 32);
	for (unsigned more = 0; more < 32; more += 2) {
		at.push_back(U * 32 + 2 * more);
		values.push_back(measure_cycles(1, 32, [&](span *spans) {
			if (next + bytes > memory.bytes) {
				evict_l2(false);
				next = 0;
			}
			issue_some_more<U><<<1, 1024>>>(spans, memory.data + next, of_warp, more);
			next += bytes;
		}));
	}
}

static void measure_limit(const buffer &memory, bool same)
{
	std::vector<double> at;
	std::vector<samples> values;
	size_t next = memory.bytes;
	limit_points<14>(memory, same, next, at, values);
	limit_points<16>(memory, same, next, at, values);
	limit_points<18>(memory, same, next, at, values);
	limit_points<20>(memory, same, next, at, values);
	record_table(same ? "misses.limit_same_lines" : "misses.limit", "cycles", "loads", at, values,
	             "until the last of so many loads of 32 warps of one SM is issued, one line each, not in the L2");
}

/* ---- shares ------------------------------------------------------------------------------------------------------- */

/* Each warp in rounds of 16 loads of new lines until the time is over; rounds[warp of the GPU] counts them. size: a power of two. */
static __global__ void __launch_bounds__(1024, 1)
	count_rounds(unsigned *rounds, const char *memory, size_t size, unsigned lane_bytes, long long cycles)
{
	unsigned warps = blockDim.x / 32, warp = blockIdx.x * warps + threadIdx.x / 32, sum = 0, count = 0;
	size_t place = (size_t)warp * 16 * 32 * lane_bytes, step = (size_t)gridDim.x * warps * 16 * 32 * lane_bytes;
	address_t lane = (address_t)memory + threadIdx.x % 32 * lane_bytes;
	long long start = cycle_counter_together();
#pragma unroll 1
	while (cycle_counter() - start < cycles) {
		unsigned v[16][1];
#pragma unroll
		for (int u = 0; u < 16; u++)
			load_default(v[u], lane + ((place + u * 32 * lane_bytes) & (size - 1)));
#pragma unroll
		for (int u = 0; u < 16; u++)
			sum |= v[u][0];
		count += sum == NEVER ? 2 : 1;
		place += step;
	}
	if (threadIdx.x % 32 == 0)
		rounds[warp] = count;
}

/* Rounds of the W-th warps of all blocks over the mean of all warps. */
static void measure_shares(const buffer &memory, int blocks, unsigned lane_bytes)
{
	const int warps = 32;
	buffer rounds((size_t)blocks * warps * sizeof(unsigned));
	std::vector<double> at;
	std::vector<samples> values(warps);
	samples each;
	for (int repeat = -1; repeat < run.repeats; repeat++) {
		count_rounds<<<blocks, warps * 32>>>(rounds.as<unsigned>(), memory.data, memory.bytes, lane_bytes, run.quick ? 20000 : 400000);
		CHECK_LAUNCH();
		std::vector<unsigned> counts = rounds.download<unsigned>((size_t)blocks * warps);
		double all = 0;
		for (unsigned count : counts)
			all += count;
		for (int w = 0; w < warps && repeat >= 0; w++) {
			double own = 0;
			for (int block = 0; block < blocks; block++)
				own += counts[(size_t)block * warps + w];
			values[w].push_back(own * warps / all);
		}
		if (repeat >= 0)
			each.push_back(all / (double)counts.size());
	}
	for (int w = 0; w < warps; w++)
		at.push_back(w);
	std::string name = format("shares.lanes_%u_bytes_apart_%s", lane_bytes, blocks == 1 ? "one_sm" : "all_sms");
	record_table(name, "ratio", "warp of the block", at, values,
	             "rounds of 16 loads of new lines that each warp finished in 400000 cycles (20000 with --quick), over the mean of all, 32 warps per SM");
	record(name + "_rounds", "count", each, "the mean itself");
}

static size_t power_below(size_t value)
{
	size_t power = 1;
	while (power * 2 <= value)
		power *= 2;
	return power;
}

void measure_queue()
{
	{
		buffer memory((size_t)64 << 10);
		fill(memory);
		measure_issue<ACCESS_HIT>("hit", 4, memory);
		measure_issue<ACCESS_HIT>("hit", 32, memory);
		measure_issue<ACCESS_HIT>("hit", 128, memory);
		measure_issue<ACCESS_SHARED>("shared", 4, memory);
		measure_issue<ACCESS_STORE>("store", 4, memory);
		measure_issue<ACCESS_STORE_SHARED>("store_shared", 4, memory);
	}
	buffer memory(power_below(std::min((size_t)8 << 30, free_bytes() / 2)));
	fill(memory);
	measure_misses_of<4>(memory);
	measure_misses_of<8>(memory);
	measure_misses_of<16>(memory);
	measure_misses_of<32>(memory);
	measure_misses_of<128>(memory);
	measure_limit(memory, false);
	measure_limit(memory, true);
	for (int blocks : {1, sm_count()})
		for (unsigned lane_bytes : {4u, 32u, 128u})
			measure_shares(memory, blocks, lane_bytes);
}
