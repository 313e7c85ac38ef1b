/*
 * What the device says of itself; clocks under load; launch and event overhead.
 */
#include "kernels.h"

#include <cmath>

/* ---- attributes ---------------------------------------------------------------------------------- */

static double attribute(cudaDeviceAttr which)
{
	int value = 0, device = 0;
	CHECK(cudaGetDevice(&device));
	if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
		cudaGetLastError();
		return 0;
	}
	return value;
}

static void attribute_record(const char *key, const char *unit, double value, const char *name)
{
	if (value > 0)
		record_property(key, unit, value, std::string("read from the device: ") + name);
}

void measure_limits()
{
	attribute_record("sm.count", "count", attribute(cudaDevAttrMultiProcessorCount),
	                 "cudaDevAttrMultiProcessorCount");
	attribute_record("sm.max_warps", "count", attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 32,
	                 "cudaDevAttrMaxThreadsPerMultiProcessor / 32");
	attribute_record("sm.max_blocks", "count", attribute(cudaDevAttrMaxBlocksPerMultiprocessor),
	                 "cudaDevAttrMaxBlocksPerMultiprocessor");
	attribute_record("sm.registers", "count", attribute(cudaDevAttrMaxRegistersPerMultiprocessor),
	                 "cudaDevAttrMaxRegistersPerMultiprocessor");
	attribute_record("sm.shared_memory_bytes", "bytes", attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
	                 "cudaDevAttrMaxSharedMemoryPerMultiprocessor");
	attribute_record("sm.shared_memory_reserved_per_block_bytes", "bytes",
	                 attribute(cudaDevAttrReservedSharedMemoryPerBlock), "cudaDevAttrReservedSharedMemoryPerBlock");
	attribute_record("sm.warp_lanes", "count", attribute(cudaDevAttrWarpSize), "cudaDevAttrWarpSize");
	attribute_record("sm.max_threads_per_block", "count", attribute(cudaDevAttrMaxThreadsPerBlock),
	                 "cudaDevAttrMaxThreadsPerBlock");
	attribute_record("limits.registers_per_block", "count", attribute(cudaDevAttrMaxRegistersPerBlock),
	                 "cudaDevAttrMaxRegistersPerBlock");
	attribute_record("limits.shared_memory_per_block_bytes", "bytes",
	                 attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), "cudaDevAttrMaxSharedMemoryPerBlockOptin");
	attribute_record("sm.maximum_clock_hz", "Hz", attribute(cudaDevAttrClockRate) * 1e3, "cudaDevAttrClockRate");
	attribute_record("l2.size_bytes", "bytes", attribute(cudaDevAttrL2CacheSize), "cudaDevAttrL2CacheSize");
	attribute_record("dram.size_bytes", "bytes", (double)run.properties.totalGlobalMem, "totalGlobalMem");
	attribute_record("dram.bus_bits", "count", attribute(cudaDevAttrGlobalMemoryBusWidth),
	                 "cudaDevAttrGlobalMemoryBusWidth");
	attribute_record("dram.clock_hz", "Hz", attribute(cudaDevAttrMemoryClockRate) * 1e3,
	                 "cudaDevAttrMemoryClockRate");
	attribute_record("dram.bandwidth_bytes_per_second", "bytes/s",
	                 attribute(cudaDevAttrMemoryClockRate) * 1e3 * 2 * attribute(cudaDevAttrGlobalMemoryBusWidth) /
	                         8,
	                 "memory clock * 2 * bus width / 8: theoretical");
	size_t granularity = 0;
	if (cudaDeviceGetLimit(&granularity, cudaLimitMaxL2FetchGranularity) == cudaSuccess)
		attribute_record("l2.maximum_fetch_bytes", "bytes", (double)granularity,
		                 "cudaLimitMaxL2FetchGranularity");
	cudaGetLastError();
}

/* ---- clock ----------------------------------------------------------------------------------------- */

struct clock_reading {
	long long cycles;
	unsigned long long nanoseconds;
};

/*
 * Works for the given time (a bounded number of rounds at most), reading both clocks at start and end. The first block's first thread
 * reports; the timer ticks in steps of up to 1 us, nothing beside 20 ms.
 */
static __global__ void __launch_bounds__(256) clocked_work(clock_reading *reading, const uint4 *data, size_t count,
                                                           unsigned long long nanoseconds, unsigned *sink)
{
	unsigned long long begin = nanosecond_timer(), now = begin;
	for (int i = 0; i < 1000000 && now == begin; i++)
		now = nanosecond_timer();
	begin = now;
	long long start = cycle_counter();
	float a = 1, b = 2;
	unsigned sum = 0;
	size_t place = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	for (int round = 0; round < 10000000 && now - begin < nanoseconds; round++) {
		for (int i = 0; i < 64 && count; i++) {
			uint4 v = data[place];
			sum ^= v.x;
			place += (size_t)gridDim.x * blockDim.x;
			place = place < count ? place : place % count;
		}
#pragma unroll 8
		for (int i = 0; i < 64; i++) {
			a = a * 0.5f + 1.0f;
			b = b * 0.5f + a;
		}
		now = nanosecond_timer();
	}
	long long stop = cycle_counter();
	if (blockIdx.x == 0 && threadIdx.x == 0)
		*reading = clock_reading{stop - start, now - begin};
	if (a + b == 0.12345f || sum == NEVER)
		*sink = sum;
}

static samples clock_rates(const buffer *data)
{
	buffer reading(sizeof(clock_reading)), sink(4);
	samples rates;
	for (int repeat = -1; repeat < run.repeats; repeat++) {
		clocked_work<<<sm_count() * 8, 256>>>(reading.as<clock_reading>(), data ? data->as<uint4>() : nullptr,
		                                      data ? data->bytes / sizeof(uint4) : 0, 20000000ull,
		                                      sink.as<unsigned>());
		CHECK_LAUNCH();
		clock_reading value = reading.download<clock_reading>(1)[0];
		if (value.nanoseconds == 0)
			throw failure{"the global timer stands still"};
		if (repeat >= 0)
			rates.push_back((double)value.cycles / (double)value.nanoseconds * 1e9);
	}
	return rates;
}

void measure_clock()
{
	warm_up(0.5);
	samples compute = clock_rates(nullptr);
	record("sm.clock_hz", "Hz", compute,
	       "clock64 over globaltimer across 20 ms of fused multiply-adds on all SMs, after 0.5 s of the same");
	buffer data((size_t)1 << 30);
	record("sm.memory_load_clock_hz", "Hz", clock_rates(&data),
	       "clock64 over globaltimer across 20 ms of reading DRAM on all SMs");
}

/* ---- launches --------------------------------------------------------------------------------------- */

static __global__ void empty()
{
}

/* An instantiated graph of `count` empty kernels in a row. */
class kernel_chain
{
      public:
	explicit kernel_chain(int count)
	{
		cudaGraph_t graph = nullptr;
		CHECK(cudaStreamCreate(&stream));
		CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
		for (int i = 0; i < count; i++)
			empty<<<1, 32, 0, stream>>>();
		CHECK(cudaStreamEndCapture(stream, &graph));
		CHECK(cudaGraphInstantiate(&executable, graph, 0));
		CHECK(cudaGraphDestroy(graph));
	}
	~kernel_chain()
	{
		cudaGraphExecDestroy(executable);
		cudaStreamDestroy(stream);
	}
	kernel_chain(const kernel_chain &) = delete;
	kernel_chain &operator=(const kernel_chain &) = delete;
	cudaStream_t stream = nullptr;
	cudaGraphExec_t executable = nullptr;
};

static samples graph_seconds(int count)
{
	kernel_chain chain(count);
	cudaEvent_t start, stop;
	samples seconds;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	for (int repeat = -3; repeat < run.repeats * 3; repeat++) {
		float milliseconds = 0;
		CHECK(cudaEventRecord(start, chain.stream));
		CHECK(cudaGraphLaunch(chain.executable, chain.stream));
		CHECK(cudaEventRecord(stop, chain.stream));
		CHECK(cudaStreamSynchronize(chain.stream));
		CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
		if (repeat >= 0)
			seconds.push_back((double)milliseconds * 1e-3);
	}
	CHECK(cudaEventDestroy(start));
	CHECK(cudaEventDestroy(stop));
	return seconds;
}

/* Per repeat the time of each further kernel: (long - short) / (kernels more). */
static samples per_kernel(const samples &few, const samples &many, int more)
{
	samples slopes;
	for (size_t i = 0; i < few.size() && i < many.size(); i++)
		slopes.push_back((many[i] - few[i]) / more);
	return slopes;
}

static samples stream_seconds(int count)
{
	return measure_seconds(nullptr, [=] {
		for (int i = 0; i < count; i++)
			empty<<<1, 32>>>();
	});
}

/* Time of one empty kernel of many blocks, over a grid's number of blocks. */
static void measure_block_dispatch()
{
	for (int threads : {32, 128, 256, 1024}) {
		std::vector<double> at;
		std::vector<samples> values;
		for (int blocks = 1; blocks <= 1 << 18; blocks *= 8) {
			at.push_back(blocks);
			values.push_back(measure_seconds(nullptr, [=] { empty<<<blocks, threads>>>(); }));
		}
		record_table(format("launch.grid_of_%d_threads", threads), "s", "blocks", at, values,
		             format("one empty kernel of blocks of %d threads between two events", threads));
		size_t last = values.size() - 1;
		record(format("launch.block_of_%d_seconds", threads), "s",
		       per_kernel(values[last - 1], values[last], (int)(at[last] - at[last - 1])),
		       format("each further block of %d threads of an empty kernel", threads));
	}
}

void measure_launch()
{
	record("launch.empty_event_pair_seconds", "s", measure_seconds(nullptr, [] {}),
	       "two events with nothing between them");
	record("launch.event_overhead_seconds", "s",
	       measure_seconds([] { evict_l2(true); }, [] { empty<<<1, 32>>>(); }),
	       "an empty kernel of one block between two events, after a kernel that overwrites the L2");
	samples one = stream_seconds(1), sixteen = stream_seconds(17);
	record("launch.stream_interval_seconds", "s", per_kernel(one, sixteen, 16),
	       "each further empty kernel in a stream: (17 - 1) / 16 launches between two events");
	samples few = graph_seconds(8), many = graph_seconds(264);
	record("launch.overhead_seconds", "s", per_kernel(few, many, 256),
	       "each further empty kernel of a replayed graph, one after the other: (264 - 8) / 256 kernels");
	measure_block_dispatch();
}
