/*
 * Memory, timing, warm-up and eviction.
 *
 * Cycles are those of the SM's own counter, so clock changes do not touch them. Seconds are between two events; a launch that is
 * timed with events runs long enough for the event overhead (3 us) not to matter, or the overhead is what is measured.
 */
#include "kernels.h"

#include <algorithm>

void check(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	std::string name = file;
	name = name.substr(name.find_last_of('/') == std::string::npos ? 0 : name.find_last_of('/') + 1);
	throw failure{format("%s:%d: %.200s: %s (%s)", name.c_str(), line, call, cudaGetErrorString(error),
	                     cudaGetErrorName(error))};
}

/* Larger buffers are filled by the section that uses them. */
#define ZEROED_BYTES ((size_t)4 << 30)

buffer::buffer(size_t size, bool zero) : data(nullptr), bytes(size)
{
	CHECK(cudaMalloc(&data, size));
	if (zero && size <= ZEROED_BYTES && cudaMemset(data, 0, size) != cudaSuccess) {
		cudaFree(data);
		throw failure{"cannot clear a buffer"};
	}
}

buffer::~buffer()
{
	cudaFree(data);
}

/* Words as a multiplicative hash of their place. */
static __global__ void __launch_bounds__(256) fill_words(unsigned *words, size_t count)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		words[i] = ((unsigned)i * 2654435761u ^ (unsigned)(i >> 13)) & 0x7fffffffu;
}

void fill(const buffer &memory)
{
	fill_words<<<sm_count() * 8, 256>>>(memory.as<unsigned>(), memory.bytes / sizeof(unsigned));
	CHECK_LAUNCH();
}

int sm_count()
{
	return run.properties.multiProcessorCount;
}

size_t free_bytes()
{
	size_t available = 0, total = 0;
	CHECK(cudaMemGetInfo(&available, &total));
	size_t margin = total / 10;
	return available > margin ? available - margin : 0;
}

static uint64_t random_state = 0x9e3779b97f4a7c15u;

/* xorshift64*, Marsaglia 2003 and Vigna 2016. */
uint32_t random_below(uint32_t bound)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	uint64_t value = (random_state * 0x2545f4914f6cdd1du) >> 32;
	return (uint32_t)((value * bound) >> 32);
}

std::vector<uint32_t> random_order(uint32_t count)
{
	std::vector<uint32_t> order(count);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (uint32_t i = count; i > 1; i--)
		std::swap(order[i - 1], order[random_below(i)]);
	return order;
}

/* ---- timing ------------------------------------------------------------------------------------- */

static double block_cycles(const std::vector<span> &spans, int block, int warps)
{
	long long start = spans[(size_t)block * warps].start, stop = start;
	for (int w = 0; w < warps; w++) {
		const span &warp = spans[(size_t)block * warps + w];
		if (warp.stop <= warp.start)
			throw failure{"a warp wrote no time"};
		start = std::min(start, warp.start);
		stop = std::max(stop, warp.stop);
	}
	return (double)(stop - start);
}

samples measure_cycles(int blocks, int warps, const std::function<void(span *)> &launch)
{
	size_t count = (size_t)blocks * warps;
	buffer spans(count * sizeof(span));
	samples cycles;
	for (int repeat = -1; repeat < run.repeats; repeat++) {
		CHECK(cudaMemset(spans.data, 0, spans.bytes));
		launch(spans.as<span>());
		CHECK_LAUNCH();
		std::vector<span> times = spans.download<span>(count);
		samples per_block;
		for (int block = 0; block < blocks; block++)
			per_block.push_back(block_cycles(times, block, warps));
		if (repeat >= 0)
			cycles.push_back(median(per_block));
	}
	return cycles;
}

/* Two events, destroyed at the end of the scope. */
struct event_pair {
	cudaEvent_t start = nullptr, stop = nullptr;
	event_pair()
	{
		CHECK(cudaEventCreate(&start));
		CHECK(cudaEventCreate(&stop));
	}
	~event_pair()
	{
		cudaEventDestroy(start);
		cudaEventDestroy(stop);
	}
	double seconds() const
	{
		float milliseconds = 0;
		CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
		return (double)milliseconds * 1e-3;
	}
};

/* Holds the stream for some 100 us, so that what is launched next waits on the device and not on the host. */
static __global__ void hold(unsigned *sink)
{
	unsigned long long start = nanosecond_timer(), now = start;
	for (int round = 0; round < 1000000 && now - start < 100000; round++)
		now = nanosecond_timer();
	if (now == 0)
		*sink = 1;
}

samples measure_seconds(const std::function<void()> &prepare, const std::function<void()> &launch)
{
	event_pair events;
	samples seconds;
	for (int repeat = -2; repeat < run.repeats; repeat++) {
		if (prepare)
			prepare();
		hold<<<1, 1>>>(nullptr);
		CHECK(cudaEventRecord(events.start));
		launch();
		CHECK(cudaEventRecord(events.stop));
		CHECK_LAUNCH();
		if (repeat >= 0)
			seconds.push_back(events.seconds());
	}
	return seconds;
}

/* ---- load and eviction ---------------------------------------------------------------------------- */

/* Multiplies and adds until the timer has advanced by the given time, or a bounded number of rounds has passed. */
static __global__ void __launch_bounds__(256) busy(float *sink, float factor, unsigned long long nanoseconds)
{
	unsigned long long start = nanosecond_timer();
	float a = (float)threadIdx.x, b = a + 1, c = a + 2, d = a + 3;
	for (int round = 0; round < 1000000 && nanosecond_timer() - start < nanoseconds; round++)
#pragma unroll 16
		for (int i = 0; i < 256; i++) {
			a = a * factor + 1.0f;
			b = b * factor + 1.0f;
			c = c * factor + 1.0f;
			d = d * factor + 1.0f;
		}
	if (a + b + c + d == 0.12345f)
		*sink = a;
}

void warm_up(double seconds)
{
	buffer sink(sizeof(float));
	for (double done = 0; done < seconds; done += 0.05) {
		busy<<<sm_count() * 4, 256>>>(sink.as<float>(), 0.5f, 50000000ull);
		CHECK_LAUNCH();
	}
}

static __global__ void __launch_bounds__(256) scratch_write(uint4 *scratch, size_t count, unsigned value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		scratch[i] = make_uint4(value, value, value, value);
}

static __global__ void __launch_bounds__(256) scratch_read(const uint4 *scratch, size_t count, unsigned *sink)
{
	unsigned sum = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
		uint4 v = scratch[i];
		sum ^= v.x ^ v.y ^ v.z ^ v.w;
	}
	if (sum == NEVER)
		*sink = sum;
}

/*
 * The scratch is four times the L2, so that what was there before goes out under any replacement that resembles least recently used.
 * It is never freed: it lives as long as the device's context.
 */
static buffer *scratch;

void reset_device()
{
	scratch = nullptr;
	cudaGetLastError();
	check(cudaDeviceReset(), "reset after a failure", __FILE__, __LINE__);
}

void evict_l2(bool dirty)
{
	static unsigned round;
	if (!scratch)
		scratch = new buffer((size_t)std::max(run.properties.l2CacheSize, 1 << 20) * 4 + 256);
	size_t count = (scratch->bytes - 256) / sizeof(uint4);
	if (dirty)
		scratch_write<<<sm_count() * 8, 256>>>(scratch->as<uint4>(), count, ++round & 0xffffu);
	else
		scratch_read<<<sm_count() * 8, 256>>>(scratch->as<uint4>(), count,
		                                      reinterpret_cast<unsigned *>(scratch->data + count * 16));
	CHECK(cudaGetLastError());
}
