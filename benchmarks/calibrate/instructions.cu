/*
 * Latency and issue interval of each instruction class.
 *
 * Latency: one warp, one chain in which each instruction needs the one before; cycles over applications. Interval: 32 warps of every SM,
 * four independent chains each; cycles of the SM over the warp instructions it executed (0.25: four a cycle). Each loop is run twice
 * and the second pass timed, so that its code is in the instruction caches. The loop's own three instructions cost under 1 %.
 *
 * A fused multiply-add of three different registers needs more of the register file than it delivers in a cycle, unless a register is
 * kept from the instruction before (the reuse flags of the machine code), which is lost when another warp issues in between. So it is
 * timed in several forms: operands that alternate, two registers, an immediate, and accumulators with the same two factors throughout.
 * The pipe is as wide as the fastest form says.
 */
#include "instructions.h"
#include "kernels.h"

#include <map>

#define WARPS 32
#define CHAINS 4
#define ACCUMULATORS 8

struct operands {
	int i[4];
	long long l[4];
	float f[4];
	double d[4];
};
/* Chosen so that quotients, roots and products stay near 1. */
static const operands known = {{3, 5, 7, 11},
                               {3000000007, 5000000003, 7000000001, 11000000009},
                               {1.0000001f, 0.9999999f, 1.0000002f, 1.25f},
                               {1.0000001, 0.9999999, 1.0000002, 1.25}};

#define LETTER_i "r"
#define LETTER_l "l"
#define LETTER_f "f"
#define LETTER_d "d"
#define TYPE_i int
#define TYPE_l long long
#define TYPE_f float
#define TYPE_d double
#define X(NAME, KIND, UNROLL, SASS, PTX)                                                                               \
	struct op_##NAME {                                                                                             \
		typedef TYPE_##KIND value;                                                                             \
		static constexpr int unroll = UNROLL;                                                                  \
		static __device__ __forceinline__ value operand(const operands &o, int which)                          \
		{                                                                                                      \
			return o.KIND[which];                                                                          \
		}                                                                                                      \
		static __device__ __forceinline__ void apply(value &v, value x, value y)                               \
		{                                                                                                      \
			asm volatile(PTX : "+" LETTER_##KIND(v) : LETTER_##KIND(x), LETTER_##KIND(y));                 \
		}                                                                                                      \
	};
INSTRUCTIONS(X)
#undef X

/* Applies OP::unroll times, spread over the chains. */
template <class OP, int COUNT>
static __device__ __forceinline__ void apply_all(typename OP::value (&v)[COUNT], const typename OP::value (&x)[4])
{
#pragma unroll
	for (int k = 0; k < OP::unroll / COUNT; k++)
#pragma unroll
		for (int c = 0; c < COUNT; c++)
			OP::apply(v[c], x[k % 2 * 2], x[k % 2 * 2 + 1]);
}

template <class OP, int COUNT>
static __device__ __forceinline__ void time_chains(span *spans, typename OP::value *sink, const operands &o,
                                                   int iterations)
{
	typename OP::value v[COUNT], x[4];
	long long start = 0, stop = 0;
#pragma unroll
	for (int c = 0; c < 4; c++)
		x[c] = OP::operand(o, c);
#pragma unroll
	for (int c = 0; c < COUNT; c++)
		v[c] = x[c] + (typename OP::value)threadIdx.x;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < iterations; i++)
			apply_all<OP, COUNT>(v, x);
		stop = cycle_counter();
	}
	span_write(spans, start, stop);
#pragma unroll
	for (int c = 0; c < COUNT; c++)
		sink[((size_t)blockIdx.x * blockDim.x + threadIdx.x) * COUNT + c] = v[c];
}

template <class OP>
static __global__ void __launch_bounds__(32)
	dependent(span *spans, typename OP::value *sink, operands o, int iterations)
{
	time_chains<OP, 1>(spans, sink, o, iterations);
}

template <class OP>
static __global__ void __launch_bounds__(WARPS * 32)
	independent(span *spans, typename OP::value *sink, operands o, int iterations)
{
	time_chains<OP, CHAINS>(spans, sink, o, iterations);
}

/* v += x * y for eight v and the same x and y: what matrix products do. */
static __global__ void __launch_bounds__(WARPS * 32)
	accumulate(span *spans, float *sink, operands o, int iterations)
{
	float v[ACCUMULATORS], x = o.f[0] + (float)threadIdx.x, y = o.f[1] + (float)threadIdx.x;
	long long start = 0, stop = 0;
#pragma unroll
	for (int c = 0; c < ACCUMULATORS; c++)
		v[c] = (float)c;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < iterations; i++)
#pragma unroll
			for (int k = 0; k < 512; k++)
				asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(v[k % ACCUMULATORS]) : "f"(x), "f"(y));
		stop = cycle_counter();
	}
	span_write(spans, start, stop);
#pragma unroll
	for (int c = 0; c < ACCUMULATORS; c++)
		sink[((size_t)blockIdx.x * blockDim.x + threadIdx.x) * ACCUMULATORS + c] = v[c];
}

/* A loop of one instruction that needs the one before, and the loop's own counter, compare and branch. */
static __global__ void __launch_bounds__(WARPS * 32) short_loop(span *spans, int *sink, operands o, int iterations)
{
	int v = o.i[0];
	long long start = 0, stop = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter_together();
#pragma unroll 1
		for (int i = 0; i < iterations; i++)
			op_integer_multiply::apply(v, o.i[1], o.i[2]);
		stop = cycle_counter();
	}
	span_write(spans, start, stop);
	sink[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = v;
}

static void measure_loops(char *sink)
{
	int iterations = 2048;
	for (int warps : {1, 32}) {
		samples cycles = measure_cycles(sm_count(), warps, [=](span *spans) {
			short_loop<<<sm_count(), warps * 32>>>(spans, reinterpret_cast<int *>(sink), known, iterations);
		});
		double rounds = (double)iterations * (warps == 1 ? 1 : warps);
		record(warps == 1 ? "latency.loop_iteration_cycles" : "issue_cycles.loop_iteration", "cycles",
		       transform(cycles, [=](double value) { return value / rounds; }),
		       format("an iteration of a loop of one integer multiply-add, counter, compare and branch, %d "
		              "warps per SM",
		              warps));
	}
}

/* The intervals measured so far, by class. */
static std::map<std::string, samples> intervals;

template <class OP> static void measure_instruction(const char *name, const char *ptx, char *sink)
{
	typename OP::value *out = reinterpret_cast<typename OP::value *>(sink);
	int chain = 4096 / OP::unroll, burst = (run.quick ? 1024 : 8192) / OP::unroll;
	samples latency =
		measure_cycles(1, 1, [=](span *spans) { dependent<OP><<<1, 32>>>(spans, out, known, chain); });
	samples interval = measure_cycles(sm_count(), WARPS, [=](span *spans) {
		independent<OP><<<sm_count(), WARPS * 32>>>(spans, out, known, burst);
	});
	record(std::string("latency.") + name + "_cycles", "cycles",
	       transform(latency, [=](double cycles) { return cycles / (chain * OP::unroll); }),
	       format("one warp, %d dependent applications of: %s", chain * OP::unroll, ptx));
	intervals[name] =
		transform(interval, [=](double cycles) { return cycles / ((double)burst * OP::unroll * WARPS); });
	record(std::string("issue_cycles.") + name, "cycles", intervals[name],
	       format("SM cycles per warp instruction, %d warps of %d independent chains on every SM", WARPS, CHAINS));
}

static void measure_accumulators(char *sink)
{
	int burst = run.quick ? 2 : 16;
	samples cycles = measure_cycles(sm_count(), WARPS, [=](span *spans) {
		accumulate<<<sm_count(), WARPS * 32>>>(spans, reinterpret_cast<float *>(sink), known, burst);
	});
	intervals["float_fma_accumulate"] =
		transform(cycles, [=](double value) { return value / ((double)burst * 512 * WARPS); });
	record("issue_cycles.float_fma_accumulate", "cycles", intervals["float_fma_accumulate"],
	       format("SM cycles per warp instruction, %d warps of %d accumulators on every SM: fma.rn.f32 with the "
	              "same two factors throughout",
	              WARPS, ACCUMULATORS));
}

/* The class of the list whose interval is the shortest. */
static const char *fastest(const std::vector<const char *> &names)
{
	const char *best = names.front();
	for (const char *name : names)
		if (median(intervals.at(name)) < median(intervals.at(best)))
			best = name;
	return best;
}

/* lanes.LANES = 32 threads over the interval of the class. */
static void record_lanes(const char *lanes, const char *name)
{
	record(std::string("lanes.") + lanes, "threads/cycle",
	       transform(intervals.at(name), [](double cycles) { return 32 / cycles; }),
	       std::string("32 over issue_cycles.") + name);
}

void measure_instructions()
{
	buffer sink((size_t)sm_count() * WARPS * 32 * ACCUMULATORS * 8);
#define X(NAME, KIND, UNROLL, SASS, PTX) measure_instruction<op_##NAME>(#NAME, PTX, sink.data);
	INSTRUCTIONS(X)
#undef X
	measure_loops(sink.data);
	measure_accumulators(sink.data);
	record_lanes("fp32", fastest({"float_fma", "float_fma_two_registers", "float_fma_immediate",
	                              "float_fma_accumulate"}));
	record_lanes("fp64", "double_fma");
	record_lanes("int_add", "integer_add");
	record_lanes("int_multiply", "integer_multiply");
	record_lanes("int_shift_compare", "shift");
	record_lanes("sfu", "sfu");
	record_lanes("conversion", "convert");
	record_lanes("shuffle", "shuffle");
}
