/*
 * The core beside its arithmetic: special registers, constants, results of loads by width, further pipes, branches, divergence, and code that is not in the
 * instruction caches.
 *
 * Reads that depend on nothing are made a chain by a loop that goes on by what was read.
 */
#include "kernels.h"

/* ---- reads of special registers, of constants -------------------------------------------------------------------- */

#define READ_STEPS 1024u

enum source { SOURCE_NONE, SOURCE_SM };

/* Adds 1, and the highest bit of what is read. */
template <source FROM> static __device__ __forceinline__ void read_and_add(unsigned &sum)
{
	unsigned t = sum;
	if constexpr (FROM == SOURCE_SM)
		asm volatile("mov.u32 %0, %%smid;" : "=r"(t));
	sum += (t >> 31) + 1;
}

/* The loop goes on by the sum, so that the next read waits for this one. */
template <source FROM> static __global__ void __launch_bounds__(1024) read_registers(span *spans, unsigned steps, unsigned *sink)
{
	unsigned sum = 0;
	long long start = 0, stop = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		sum = 0;
		start = cycle_counter_together();
#pragma unroll 1
		do
			read_and_add<FROM>(sum);
		while (sum < steps);
		stop = cycle_counter();
	}
	span_write(spans, start, stop);
	if (sum == NEVER)
		*sink = sum;
}

template <source FROM> static void measure_register(const char *name)
{
	for (int warps : {1, 32}) {
		samples cycles = measure_cycles(1, warps, [=](span *spans) { read_registers<FROM><<<1, warps * 32>>>(spans, READ_STEPS, nullptr); });
		record(format("read.%s_round_cycles_%d_warps", name, warps), "cycles",
		       transform(cycles, [](double value) { return value / READ_STEPS; }),
		       format("a round of a loop that reads it, shifts, adds, compares and branches, each waiting for the one before; %d warps; the loop without "
		              "the read is read.nothing",
		              warps));
	}
}

#define CONSTANT_WORDS 16384
static __constant__ unsigned constants[CONSTANT_WORDS];

/* Follows offsets through constant memory, twice; the first time is kept in `first`. apart: all lanes the same place, or each a word on. */
static __global__ void __launch_bounds__(32) chase_constants(span *spans, span *first, unsigned *sink, int steps, unsigned apart)
{
	unsigned place = threadIdx.x * apart;
	long long start = 0, stop = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < steps; i += 4)
#pragma unroll
			for (int k = 0; k < 4; k++)
				place = *(const volatile unsigned *)((const char *)constants + place);
		stop = cycle_counter();
		if (pass == 0)
			span_write(first, start, stop);
	}
	if (place == NEVER)
		return;
	span_write(spans, start, stop);
	*sink = place;
}

static void measure_constants()
{
	buffer first(sizeof(span)), sink(4);
	std::vector<double> at;
	std::vector<samples> warm, cold;
	for (unsigned bytes = 512; bytes <= CONSTANT_WORDS * 4; bytes *= 2) {
		const unsigned apart = 64;
		std::vector<unsigned> words(CONSTANT_WORDS, 0);
		for (unsigned place = 0; place < bytes; place += apart)
			words[place / 4] = (place + apart) % bytes;
		CHECK(cudaMemcpyToSymbol(constants, words.data(), words.size() * 4));
		int steps = (int)(bytes / apart);
		samples again;
		at.push_back(bytes);
		cold.push_back({});
		for (int repeat = 0; repeat < run.repeats; repeat++) {
			evict_l2(false);
			buffer spans(sizeof(span));
			chase_constants<<<1, 32>>>(spans.as<span>(), first.as<span>(), sink.as<unsigned>(), steps, 0);
			CHECK_LAUNCH();
			span one = first.download<span>(1)[0], two = spans.download<span>(1)[0];
			cold.back().push_back((double)(one.stop - one.start) / steps);
			again.push_back((double)(two.stop - two.start) / steps);
		}
		warm.push_back(again);
	}
	record_table("constant.load_cycles", "cycles", "bytes", at, warm, "a chain of loads from constant memory, 64 bytes apart, the second time through so many bytes");
	record_table("constant.first_load_cycles", "cycles", "bytes", at, cold, "the same the first time, the L2 evicted before");
}

/* ---- loads by width --------------------------------------------------------------------------------------------------- */

/* All lanes follow the same pointer: the words loaded beside it are used too. */
template <path PATH, int WORDS> static __global__ void __launch_bounds__(32) follow_wide(span *spans, char *memory, unsigned *sink, int steps)
{
	__shared__ uint4 local[2];
	address_t a = PATH == PATH_SHARED ? shared_address(local) : (address_t)memory;
	unsigned sum = 0;
	local[threadIdx.x & 1] = make_uint4(0, 0, 0, 0);
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < steps; i += 8)
#pragma unroll
			for (int k = 0; k < 8; k++) {
				unsigned v[WORDS];
				load<PATH, WORDS>(v, a);
				unsigned last = v[WORDS - 1];
#pragma unroll
				for (int w = 0; w + 1 < WORDS; w++)
					sum ^= v[w];
				asm volatile("{.reg .u64 t; cvt.u64.u32 t, %1; add.u64 %0, %0, t;}" : "+l"(a) : "r"(last));
			}
		if (a == NEVER)
			return;
	}
	span_write(spans, start, cycle_counter());
	if (sum == NEVER)
		*sink = sum;
}

template <path PATH, int WORDS> static void measure_width(const char *name)
{
	buffer memory(256), sink(4);
	const int steps = 512;
	samples cycles = measure_cycles(
		1, 1, [&](span *spans) { follow_wide<PATH, WORDS><<<1, 32>>>(spans, memory.data, sink.as<unsigned>(), steps); });
	record(format("latency.%s_%d_bytes_and_add_cycles", name, WORDS * 4), "cycles", transform(cycles, [=](double value) { return value / steps; }),
	       "a chain of loads, all lanes the same place, the last word of each added to the 64-bit address of the next");
}

static __global__ void __launch_bounds__(32) store_and_load_shared(span *spans, unsigned *sink, int steps)
{
	__shared__ unsigned words[32];
	unsigned v[1] = {threadIdx.x};
	address_t a = shared_address(words + threadIdx.x), beside = shared_address(words + (threadIdx.x ^ 1));
	long long start = cycle_counter_together();
#pragma unroll 1
	for (int i = 0; i < steps; i += 8)
#pragma unroll
		for (int k = 0; k < 8; k++) {
			store_shared(v, a);
			asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v[0]) : "r"((unsigned)beside) : "memory");
		}
	if (v[0] == NEVER)
		return;
	span_write(spans, start, cycle_counter());
	*sink = v[0];
}

/* ---- branches ----------------------------------------------------------------------------------------------------------- */

#define FORTY(X) X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X
#define TEN(X) X X X X X X X X X X

/*
 * KIND 0: ten times forty multiply-additions of one chain. 1: the same, each forty behind a branch that is never taken. 2: the branches are all taken, so nothing
 * is left. 3: the branch is taken by the odd lanes, who do another forty.
 */
template <int KIND> static __global__ void __launch_bounds__(1024) branches(span *spans, unsigned *sink, unsigned taken, int rounds)
{
	unsigned value = threadIdx.x, lane = threadIdx.x & 1;
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < rounds; i++) {
#pragma unroll
			for (int k = 0; k < 10; k++) {
				if (KIND == 3 ? lane != taken : KIND == 0 || taken != (unsigned)k + 100) {
#pragma unroll
					for (int j = 0; j < 40; j++)
						asm volatile("mad.lo.u32 %0, %0, %0, 7;" : "+r"(value));
				} else if (KIND == 3) {
#pragma unroll
					for (int j = 0; j < 40; j++)
						asm volatile("mad.lo.u32 %0, %0, %0, 9;" : "+r"(value));
				}
			}
		}
	}
	span_write(spans, start, cycle_counter());
	if (value == NEVER)
		*sink = value;
}

template <int KIND> static samples branch_cycles(int warps, unsigned taken)
{
	const int rounds = 16;
	samples cycles = measure_cycles(1, warps, [=](span *spans) { branches<KIND><<<1, warps * 32>>>(spans, nullptr, taken, rounds); });
	return transform(cycles, [=](double value) { return value / (rounds * 10); });
}

static void measure_branches()
{
	for (int warps : {1, 32}) {
		std::string end = warps == 1 ? "one_warp_cycles" : "32_warps_cycles", method = format(", cycles of forty, %d warps of one SM", warps);
		record("branch.none_" + end, "cycles", branch_cycles<0>(warps, 0), "forty dependent multiply-additions" + method);
		record("branch.not_taken_" + end, "cycles", branch_cycles<1>(warps, 0), "the same behind a compare and a branch not taken" + method);
		record("branch.divergent_" + end, "cycles", branch_cycles<3>(warps, 0), "even lanes forty, odd lanes forty others" + method);
		record("branch.one_side_" + end, "cycles", branch_cycles<3>(warps, 2), "the same code, all lanes on one side" + method);
	}
}

/* Rounds of a short loop of so many independent multiply-additions: what its end costs. */
template <int BODY> static __global__ void __launch_bounds__(1024) loop_of(span *spans, unsigned *sink, int rounds)
{
	unsigned v[4] = {threadIdx.x, threadIdx.x + 1, threadIdx.x + 2, threadIdx.x + 3};
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < rounds; i++)
#pragma unroll
			for (int k = 0; k < BODY; k++)
				asm volatile("mad.lo.u32 %0, %0, %0, 7;" : "+r"(v[k % 4]));
	}
	span_write(spans, start, cycle_counter());
	if ((v[0] ^ v[1] ^ v[2] ^ v[3]) == NEVER)
		*sink = v[0];
}

template <int BODY> static void loop_point(int warps, std::vector<double> &at, std::vector<samples> &values)
{
	const int rounds = 256;
	samples cycles = measure_cycles(1, warps, [=](span *spans) { loop_of<BODY><<<1, warps * 32>>>(spans, nullptr, rounds); });
	at.push_back(BODY);
	values.push_back(transform(cycles, [=](double value) { return value / rounds; }));
}

static void measure_short_loops()
{
	for (int warps : {1, 4, 8, 16, 32}) {
		std::vector<double> at;
		std::vector<samples> values;
		loop_point<1>(warps, at, values);
		loop_point<2>(warps, at, values);
		loop_point<4>(warps, at, values);
		loop_point<8>(warps, at, values);
		loop_point<16>(warps, at, values);
		loop_point<32>(warps, at, values);
		record_table(format("loop.round_cycles_%d_warps", warps), "cycles", "multiply-additions in the body", at, values,
		             format("cycles of a round of a loop of so many multiply-additions in four chains, counter, compare and branch, %d warps of one SM", warps));
	}
}

/* ---- instruction caches ---------------------------------------------------------------------------------------------------- */

/* COUNT additions in a row in eight chains, three times; first: the time of the first. */
template <int COUNT> static __global__ void __launch_bounds__(1024) straight(span *spans, span *first, float *sink, float x)
{
	float v[8] = {x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7};
	long long start = 0, stop = 0;
#pragma unroll 1
	for (int pass = 0; pass < 3; pass++) {
		start = cycle_counter_together();
#pragma unroll
		for (int i = 0; i < COUNT; i++)
			asm volatile("add.f32 %0, %0, %1;" : "+f"(v[i % 8]) : "f"(x));
		stop = cycle_counter();
		if (pass == 0)
			span_write(first, start, stop);
	}
	span_write(spans, start, stop);
	if (v[0] + v[1] + v[2] + v[3] + v[4] + v[5] + v[6] + v[7] == 0.12345f)
		*sink = v[0];
}

struct code_times {
	std::vector<double> at;
	std::vector<samples> again, first, seconds;
};

static double span_cycles(const std::vector<span> &spans)
{
	long long start = spans[0].start, stop = spans[0].stop;
	for (const span &one : spans) {
		start = one.start < start ? one.start : start;
		stop = one.stop > stop ? one.stop : stop;
	}
	return (double)(stop - start);
}

/* Cycles of one block on each SM, the first SM's taken. Other code, more than the caches hold, runs before. */
template <int COUNT> static void straight_point(int warps, code_times &into)
{
	buffer first((size_t)sm_count() * warps * sizeof(span)), spans((size_t)sm_count() * warps * sizeof(span));
	samples again, cold;
	for (int repeat = 0; repeat < run.repeats; repeat++) {
		straight<COUNT == 8192 ? 4096 : 8192><<<sm_count(), 32>>>(spans.as<span>(), first.as<span>(), nullptr, 1.0f);
		evict_l2(false);
		straight<COUNT><<<sm_count(), warps * 32>>>(spans.as<span>(), first.as<span>(), nullptr, 1.0f);
		CHECK_LAUNCH();
		again.push_back(span_cycles(spans.download<span>(warps)) / COUNT);
		cold.push_back(span_cycles(first.download<span>(warps)) / COUNT);
	}
	into.at.push_back(COUNT);
	into.again.push_back(again);
	into.first.push_back(cold);
}

static void measure_code()
{
	for (int warps : {1, 4, 16}) {
		code_times found;
		straight_point<256>(warps, found);
		straight_point<512>(warps, found);
		straight_point<1024>(warps, found);
		straight_point<2048>(warps, found);
		straight_point<4096>(warps, found);
		straight_point<8192>(warps, found);
		std::string method = format("cycles per instruction of so many additions in a row, 16 bytes each, %d warps on every SM", warps);
		record_table(format("code.again_%d_warps", warps), "cycles", "instructions", found.at, found.again, method + ", the third time");
		record_table(format("code.first_%d_warps", warps), "cycles", "instructions", found.at, found.first, method + ", the first time, after other code and the L2 evicted");
	}
}

void measure_core()
{
	measure_register<SOURCE_NONE>("nothing");
	measure_register<SOURCE_SM>("sm_number");
	measure_constants();
	measure_width<PATH_L1, 1>("l1_load");
	measure_width<PATH_L1, 2>("l1_load");
	measure_width<PATH_L1, 4>("l1_load");
	measure_width<PATH_SHARED, 1>("shared_load");
	measure_width<PATH_SHARED, 2>("shared_load");
	measure_width<PATH_SHARED, 4>("shared_load");
	buffer sink(4);
	samples cycles = measure_cycles(1, 1, [&](span *spans) { store_and_load_shared<<<1, 32>>>(spans, sink.as<unsigned>(), 512); });
	record("latency.shared_store_load_cycles", "cycles", transform(cycles, [](double value) { return value / 512; }),
	       "a store to shared memory and a load of what the neighbouring lane stored, which the next pair stores");
	measure_branches();
	measure_short_loops();
	measure_code();
}
