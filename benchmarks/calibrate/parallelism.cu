/*
 * Loads in flight per warp and per SM, and the bandwidth of one SM against its parallelism.
 *
 * One SM alone, W warps. In each round a warp issues U independent loads and waits for all of them before the next round, so exactly
 * W * U loads can be in flight. Cycles per round: flat while the memory system takes all of them at once, rising when something is
 * full. By Little's law, loads per round over its cycles, times the cycles of a round of one load, are the loads in flight.
 * DRAM: the data of every round is new. L2: a region that fits, past the L1.
 */
#include "kernels.h"

#include <algorithm>

/* Rounds of a launch: many where they are short, so that near and far places of the L2 and of DRAM average out. */
#define ROUNDS_LEAST 32
#define ROUNDS_MOST 512
#define LOADS_WANTED 8192

/* The data of a launch: size is a power of two, beyond which it begins anew; first counts rounds. */
struct window {
	char *base;
	size_t size, first;
	int rounds;
};

/*
 * Lanes STRIDE bytes apart; the loads of a warp in one round lie one after the other, and so do the warps, and the rounds. One block per SM is
 * enough (the 1 of the bounds): else ptxas saves registers and waits for early loads before it issues the late ones.
 */
template <int U, int STRIDE, path PATH, int THREADS>
static __global__ void __launch_bounds__(THREADS, 1) rounds(span *spans, window memory)
{
	unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32, sum = 0;
	address_t lane = (address_t)memory.base + threadIdx.x % 32 * STRIDE;
	size_t number = memory.first;
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int round = 0; round < memory.rounds; round++) {
		unsigned v[U][1];
		address_t place = lane + (((number * warps + warp) * (size_t)(U * STRIDE * 32)) & (memory.size - 1));
#pragma unroll
		for (int u = 0; u < U; u++)
			load<PATH>(v[u], place + u * (STRIDE * 32));
#pragma unroll
		for (int u = 0; u < U; u++)
			sum ^= v[u][0];
		number += sum == NEVER ? 0 : 1;
	}
	if (number == 0)
		return;
	span_write(spans, start, cycle_counter());
}

/* Cycles per round of W warps of one SM with U loads each. `next` moves on, so that DRAM data is new in every launch. */
template <int U, int STRIDE, path PATH, int THREADS>
static samples round_cycles(const window &memory, int warps, size_t &next)
{
	size_t round_bytes = (size_t)warps * U * STRIDE * 32;
	int count = run.quick ? ROUNDS_LEAST : std::max(ROUNDS_LEAST, std::min(ROUNDS_MOST, LOADS_WANTED / (warps * U)));
	samples cycles = measure_cycles(1, warps, [&](span *spans) {
		window place = {memory.base, memory.size, (next + round_bytes - 1) / round_bytes, count};
		rounds<U, STRIDE, PATH, THREADS><<<1, warps * 32>>>(spans, place);
		next = (place.first + (size_t)count) * round_bytes;
	});
	return transform(cycles, [=](double value) { return value / count; });
}

struct in_flight {
	double alone;          /* cycles of a round of one load of one warp */
	samples loads_of_warp; /* most loads in flight of one warp, per repeat */
	samples loads_of_sm;
};

static void raise(samples &most, const samples &cycles, double loads, double alone)
{
	if (most.empty())
		most.assign(cycles.size(), 0);
	for (size_t i = 0; i < cycles.size(); i++)
		most[i] = std::max(most[i], loads / cycles[i] * alone);
}

/* One table over the warps for one U. next: bytes of the data already used. */
template <int U, int STRIDE, path PATH, int THREADS>
static void warps_table(const std::string &name, const window &memory, size_t &next, in_flight &most)
{
	std::vector<double> at;
	std::vector<samples> values;
	for (int warps = 1; warps * 32 <= THREADS; warps *= 2) {
		samples cycles = round_cycles<U, STRIDE, PATH, THREADS>(memory, warps, next);
		if (U == 1 && warps == 1)
			most.alone = median(cycles);
		if (warps == 1)
			raise(most.loads_of_warp, cycles, U, most.alone);
		raise(most.loads_of_sm, cycles, (double)U * warps, most.alone);
		at.push_back(warps);
		values.push_back(cycles);
	}
	record_table(format("parallelism.%s_%d_loads", name.c_str(), U), "cycles", "warps", at, values,
	             format("cycles of a round of %d independent loads of 4 bytes per lane in each warp, one SM alone, "
	                    "lanes %d bytes apart",
	                    U, STRIDE));
}

/* All tables of lanes STRIDE bytes apart, and what they say of loads in flight. */
template <int STRIDE, path PATH>
static void measure_shape(const std::string &name, const window &memory, double sectors_per_load)
{
	in_flight most = {};
	size_t next = 0;
	warps_table<1, STRIDE, PATH, 1024>(name, memory, next, most);
	warps_table<2, STRIDE, PATH, 1024>(name, memory, next, most);
	warps_table<4, STRIDE, PATH, 1024>(name, memory, next, most);
	warps_table<8, STRIDE, PATH, 1024>(name, memory, next, most);
	warps_table<16, STRIDE, PATH, 1024>(name, memory, next, most);
	warps_table<32, STRIDE, PATH, 1024>(name, memory, next, most);
	warps_table<64, STRIDE, PATH, 256>(name, memory, next, most);
	std::string method = "loads per cycle times the cycles of a lone load, the most over 1 to 64 loads per warp";
	record("outstanding." + name + "_loads_per_warp", "count", most.loads_of_warp, method + ", one warp");
	record("outstanding." + name + "_loads_per_sm", "count", most.loads_of_sm, method + " and 1 to 32 warps");
	record("outstanding." + name + "_sectors_per_sm", "count",
	       transform(most.loads_of_sm, [=](double loads) { return loads * sectors_per_load; }),
	       "the same in sectors of 32 bytes");
}

static size_t power_of_two_below(size_t value)
{
	size_t power = 1;
	while (power * 2 <= value)
		power *= 2;
	return power;
}

void measure_parallelism()
{
	size_t l2 = power_of_two_below((size_t)std::max(run.properties.l2CacheSize, 4 << 20) / 2);
	size_t dram = power_of_two_below(std::min((size_t)4 << 30, free_bytes() / 2));
	{
		buffer near(l2);
		fill(near);
		measure_shape<4, PATH_L2>("l2_coalesced", {near.data, l2, 0, 0}, 4);
		measure_shape<128, PATH_L2>("l2_line_per_lane", {near.data, l2, 0, 0}, 32);
	}
	buffer far(dram);
	fill(far);
	measure_shape<4, PATH_L1>("dram_coalesced", {far.data, dram, 0, 0}, 4);
	measure_shape<128, PATH_L1>("dram_line_per_lane", {far.data, dram, 0, 0}, 32);
}
