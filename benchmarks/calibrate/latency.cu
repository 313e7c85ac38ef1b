/*
 * Latencies by dependent loads: every node of a chain holds the address of the next, so no address arithmetic stands between the loads.
 * The order of the nodes is random. A launch goes on where the one before it stopped.
 *
 * The L2 of current parts lies in two halves. Which half answers depends on the SM and the address, so every SM times many single lines
 * and the distribution is split in two where the variance within the parts is least (Otsu 1979): its modes are near and far.
 */
#include "kernels.h"

#include <algorithm>

#define LINE ((size_t)128)

static __device__ __forceinline__ address_t follow(address_t p, bool past_l1)
{
	address_t next;
	if (past_l1)
		asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(p));
	else
		asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(p));
	return next;
}

static __global__ void __launch_bounds__(256)
	link_nodes(char *base, const unsigned *order, unsigned count, size_t spacing)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
		unsigned next = i + 1 < count ? i + 1 : 0;
		*(address_t *)(base + order[i] * spacing) = (address_t)(base + order[next] * spacing);
	}
}

/* Follows the chain for `warm` steps (a multiple of 16), then for `steps`, timed. */
template <bool PAST_L1>
static __global__ void __launch_bounds__(32) chase(span *spans, address_t *position, int warm, int steps)
{
	address_t p = *position;
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		int count = pass ? steps : warm;
		start = cycle_counter();
#pragma unroll 1
		for (int i = 0; i < count; i += 16)
#pragma unroll
			for (int k = 0; k < 16; k++)
				p = follow(p, PAST_L1);
		if (p == 0)
			return;
	}
	long long stop = cycle_counter();
	*position = p;
	span_write(spans, start, stop);
}

/* A chain through device memory. */
class chain
{
      public:
	chain(const buffer &memory, const std::vector<uint32_t> &order, size_t spacing)
	    : count(order.size()), position(8)
	{
		buffer slots(order.size() * sizeof(uint32_t));
		for (uint32_t slot : order)
			if ((slot + 1) * spacing > memory.bytes)
				throw failure{"a node beyond its buffer"};
		slots.upload(order);
		link_nodes<<<sm_count(), 256>>>(memory.data, slots.as<unsigned>(), (unsigned)order.size(), spacing);
		CHECK_LAUNCH();
		position.upload(std::vector<address_t>{(address_t)(memory.data + order[0] * spacing)});
	}
	/* Cycles per step, per repeat. warm steps precede the timed ones in every launch. */
	template <bool PAST_L1> samples cycles(size_t warm, int steps) const
	{
		int rounded = (int)((warm + 15) / 16 * 16);
		samples times = measure_cycles(1, 1, [=](span *spans) {
			chase<PAST_L1><<<1, 1>>>(spans, position.as<address_t>(), rounded, steps);
		});
		return transform(times, [=](double value) { return value / steps; });
	}
	/* Goes through the whole chain once. */
	void traverse() const
	{
		buffer spans(sizeof(span));
		chase<false><<<1, 1>>>(spans.as<span>(), position.as<address_t>(), (int)((count + 15) / 16 * 16), 16);
		CHECK_LAUNCH();
	}
	size_t count;

      private:
	buffer position;
};

/* ---- L1, shared memory ------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(32) chase_shared(span *spans, unsigned *sink, int steps)
{
	__shared__ unsigned nodes[1024];
#pragma unroll 1
	for (int i = (int)threadIdx.x; i < 1024; i += 32)
		nodes[i] = (unsigned)shared_address(&nodes[(i + 389) % 1024]);
	__syncthreads();
	unsigned p = (unsigned)shared_address(&nodes[0]);
	long long start = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		start = cycle_counter();
#pragma unroll 1
		for (int i = 0; i < steps; i += 16)
#pragma unroll
			for (int k = 0; k < 16; k++)
				asm volatile("ld.shared.u32 %0, [%0];" : "+r"(p));
		if (p == NEVER)
			return;
	}
	long long stop = cycle_counter();
	sink[threadIdx.x] = p;
	span_write(spans, start, stop);
}

static void measure_near_memories()
{
	buffer memory(64 * LINE), sink(128);
	chain lines(memory, random_order(64), LINE);
	record("l1.hit_latency_cycles", "cycles", lines.cycles<false>(128, 4096),
	       "one thread following 64-bit pointers through 64 lines, after two rounds through them");
	samples shared =
		measure_cycles(1, 1, [&](span *spans) { chase_shared<<<1, 32>>>(spans, sink.as<unsigned>(), 4096); });
	record("shared.latency_cycles", "cycles", transform(shared, [](double cycles) { return cycles / 4096; }),
	       "one warp following 32-bit addresses through shared memory, all lanes the same one");
}

/* ---- L2: near and far ------------------------------------------------------------------------------------ */

#define PROBE_LOADS 32
#define PROBE_SPACING (65 * LINE)

static __global__ void __launch_bounds__(256) link_selves(char *base, unsigned count, size_t spacing)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
		*(address_t *)(base + i * spacing) = (address_t)(base + i * spacing);
}

/*
 * Each block times every line, a line being a pointer to itself, beginning elsewhere than the other blocks. latencies[block][line] in
 * cycles. Large dynamic shared memory keeps the blocks on SMs of their own.
 */
static __global__ void __launch_bounds__(32)
	probe_lines(float *latencies, unsigned *multiprocessors, char *base, size_t spacing, unsigned lines)
{
	unsigned line = (unsigned)((unsigned long long)blockIdx.x * lines / gridDim.x);
	multiprocessors[blockIdx.x] = multiprocessor();
#pragma unroll 1
	for (unsigned i = 0; i < lines; i++) {
		address_t p = (address_t)(base + line * spacing);
		p = follow(follow(p, true), true);
		if (p == 0)
			return;
		long long start = cycle_counter();
#pragma unroll
		for (int k = 0; k < PROBE_LOADS; k++)
			p = follow(p, true);
		if (p == 0)
			return;
		long long stop = cycle_counter();
		latencies[(size_t)blockIdx.x * lines + line] = (float)(stop - start) / PROBE_LOADS;
		line = line + 1 < lines ? line + 1 : 0;
	}
}

/* Two groups of values: their limit, and the medians on both sides of it. */
struct modes {
	double limit, near, far, separation;
};

static double variance(double sum, double squares, double count)
{
	return squares / count - (sum / count) * (sum / count);
}

/* Splits where the variance within the two parts is least; separation is the distance of the means over the spread within. */
static modes split(samples values)
{
	std::sort(values.begin(), values.end());
	size_t count = values.size(), best = 1;
	double sum = 0, squares = 0, left = 0, left_squares = 0, least = 1e300;
	for (double value : values) {
		sum += value;
		squares += value * value;
	}
	for (size_t i = 1; i < count; i++) {
		left += values[i - 1];
		left_squares += values[i - 1] * values[i - 1];
		double within = (double)i * variance(left, left_squares, (double)i) +
		                (double)(count - i) * variance(sum - left, squares - left_squares, (double)(count - i));
		if (within < least) {
			least = within;
			best = i;
		}
	}
	samples low(values.begin(), values.begin() + (long)best), high(values.begin() + (long)best, values.end());
	double spread = std::max(least / (double)count, 1e-6), distance = 0;
	for (double value : high)
		distance += value / (double)high.size();
	for (double value : low)
		distance -= value / (double)low.size();
	return modes{(values[best - 1] + values[best]) / 2, median(low), median(high), distance * distance / spread};
}

/* What one launch of probe_lines found. */
struct probe {
	std::vector<float> latencies; /* [block][line] */
	std::vector<unsigned> multiprocessors;
	modes parts;
};

/* The latencies of the block that ran on an SM. */
static const float *latencies_of(const probe &launch, unsigned multiprocessor)
{
	size_t blocks = launch.multiprocessors.size(), lines = launch.latencies.size() / blocks;
	for (size_t b = 0; b < blocks; b++)
		if (launch.multiprocessors[b] == multiprocessor)
			return &launch.latencies[b * lines];
	throw failure{format("no block ran on SM %u", multiprocessor)};
}

/* For each SM a value per launch. */
static void record_by_sm(const char *key, const char *unit, const char *method, const std::vector<probe> &launches,
                         const std::function<double(const probe &, const float *)> &measure, std::vector<samples> &values)
{
	std::vector<unsigned> numbers = launches.front().multiprocessors;
	std::sort(numbers.begin(), numbers.end());
	std::vector<double> at(numbers.begin(), numbers.end());
	values.assign(numbers.size(), {});
	for (const probe &launch : launches)
		for (size_t i = 0; i < numbers.size(); i++)
			values[i].push_back(measure(launch, latencies_of(launch, numbers[i])));
	record_table(key, unit, "SM", at, values, method);
}

/* Where the SMs fall into two groups that see opposite lines as near, there are two partitions. */
static void record_partitions(const std::vector<probe> &launches, size_t lines)
{
	std::vector<samples> agreements;
	unsigned first = *std::min_element(launches.front().multiprocessors.begin(), launches.front().multiprocessors.end());
	record_by_sm("l2.agreement_with_first_sm", "ratio",
	             "share of the lines that an SM and the one of the lowest number both see on the same side of the limit "
	             "between near and far",
	             launches,
	             [=](const probe &launch, const float *latencies) {
			     const float *reference = latencies_of(launch, first);
			     size_t agree = 0;
			     for (size_t line = 0; line < lines; line++)
				     agree += (reference[line] > launch.parts.limit) == (latencies[line] > launch.parts.limit);
			     return (double)agree / (double)lines;
		     },
	             agreements);
	size_t with = 0, against = 0;
	for (const samples &shares : agreements) {
		with += median(shares) > 0.6;
		against += median(shares) < 0.4;
	}
	if (against && with + against >= agreements.size() * 9 / 10)
		record("l2.partitions", "count", samples(launches.size(), 2),
		       "SMs fall into two groups: with the first SM they agree on over 60 % or under 40 % of the lines, which "
		       "chance does at 50 +- 2 %");
}

static void record_distribution(const std::vector<probe> &launches)
{
	samples all(launches.front().latencies.begin(), launches.front().latencies.end());
	double low = quantile(all, 0.001), width = std::max((quantile(all, 0.999) - low) / 40, 1.0);
	std::vector<double> at;
	std::vector<samples> shares(41);
	for (int bin = 0; bin <= 40; bin++)
		at.push_back(low + bin * width);
	for (const probe &launch : launches) {
		std::vector<size_t> inside(41, 0);
		for (double value : launch.latencies)
			if (value >= low && value < low + 41 * width)
				inside[std::min<size_t>(40, (size_t)((value - low) / width))]++;
		for (size_t bin = 0; bin <= 40; bin++)
			shares[bin].push_back((double)inside[bin] / (double)launch.latencies.size());
	}
	record_table("l2.latency_distribution", "ratio", "cycles from", at, shares, "share of all (SM, line) pairs, L2 hits");
}

static double mean_of(const float *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return sum / (double)count;
}

static std::vector<probe> probe_launches(unsigned lines)
{
	int blocks = sm_count();
	size_t reserved = run.properties.sharedMemPerBlockOptin;
	buffer memory(lines * PROBE_SPACING), latencies((size_t)blocks * lines * sizeof(float)),
		sms((size_t)blocks * sizeof(unsigned));
	std::vector<probe> launches;
	link_selves<<<4, 256>>>(memory.data, lines, PROBE_SPACING);
	CHECK_LAUNCH();
	CHECK(cudaFuncSetAttribute(probe_lines, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)reserved));
	for (int repeat = -1; repeat < run.repeats; repeat++) {
		probe_lines<<<blocks, 1, reserved>>>(latencies.as<float>(), sms.as<unsigned>(), memory.data,
		                                     PROBE_SPACING, lines);
		CHECK_LAUNCH();
		if (repeat < 0)
			continue;
		probe launch = {latencies.download<float>((size_t)blocks * lines), sms.download<unsigned>((size_t)blocks), {}};
		launch.parts = split(samples(launch.latencies.begin(), launch.latencies.end()));
		launches.push_back(launch);
	}
	return launches;
}

static void measure_l2_distance()
{
	unsigned lines = run.quick ? 128 : 1024;
	std::vector<probe> launches = probe_launches(lines);
	samples near, far, mean, separation;
	for (const probe &launch : launches) {
		near.push_back(launch.parts.near);
		far.push_back(launch.parts.far);
		separation.push_back(launch.parts.separation);
		mean.push_back(mean_of(launch.latencies.data(), launch.latencies.size()));
	}
	std::string how = format("every SM at once, one thread, ld.global.cg on single lines that point to themselves, %d loads each, "
	                         "over %u lines; distribution over (SM, line) split in two: ",
	                         PROBE_LOADS, lines);
	record("l2.hit_latency_cycles", "cycles", near, how + "median of the lower part");
	record("l2.far_hit_latency_cycles", "cycles", far, how + "median of the upper part");
	record("l2.mean_hit_latency_cycles", "cycles", mean, "the same, mean over all pairs");
	record("l2.separation", "ratio", separation,
	       "squared distance of the two parts' means over the variance within them; one even "
	       "distribution has 12, two clear modes have far more");
	record_distribution(launches);
	std::vector<samples> means;
	record_by_sm("l2.latency_by_sm", "cycles", "mean over the lines, L2 hits", launches,
	             [=](const probe &, const float *latencies) { return mean_of(latencies, lines); }, means);
	record_partitions(launches, lines);
}

/* ---- latency over footprint: L1, L2, DRAM, TLB --------------------------------------------------------------- */

/* At most `most` lines of a footprint, one in each of as many equal parts, in random order. */
static std::vector<uint32_t> scattered_lines(size_t footprint, uint32_t most)
{
	size_t lines = footprint / LINE;
	uint32_t count = (uint32_t)std::min<size_t>(lines, most);
	std::vector<uint32_t> order = random_order(count);
	for (uint32_t &slot : order) {
		size_t first = slot * lines / count, next = (slot + (size_t)1) * lines / count;
		slot = (uint32_t)first + random_below((uint32_t)(next - first));
	}
	return order;
}

static std::vector<size_t> footprints(size_t largest)
{
	std::vector<size_t> kib = {16,   64,    128,   192,   224,   256,   384,   512,   1024,  2048, 4096,
	                           8192, 16384, 20480, 24576, 28672, 32768, 40960, 49152, 57344, 65536};
	if (run.quick)
		kib = {16, 1024, 8192};
	for (size_t mib = 96; mib <= 128; mib += 32)
		kib.push_back(mib << 10);
	for (size_t mib = 256; (mib << 20) <= largest; mib *= 2)
		kib.push_back(mib << 10);
	if (kib.back() << 10 < largest)
		kib.push_back(largest >> 10);
	return kib;
}

/* Cycles of a load in a chain across one footprint. What the L2 can hold is walked through before; larger sets are cold. */
static samples latency_of(const buffer &memory, size_t footprint)
{
	bool cached = footprint <= (size_t)64 << 20;
	int steps = 8192;
	chain nodes(memory, scattered_lines(footprint, 524288), LINE);
	if (cached)
		nodes.traverse();
	else {
		evict_l2(false);
		CHECK_LAUNCH();
	}
	return nodes.cycles<false>(footprint <= (size_t)1 << 20 ? nodes.count * 2 : 0, steps);
}

static void measure_footprints()
{
	size_t largest = run.quick ? 0 : free_bytes() >> 28 << 28;
	largest = std::max(largest, (size_t)256 << 20);
	buffer memory(largest, false);
	std::vector<double> at;
	std::vector<samples> values;
	for (size_t kib : footprints(largest)) {
		at.push_back((double)kib * 1024);
		values.push_back(latency_of(memory, kib << 10));
		progress("  load latency across %zu KiB: %.1f cycles", kib, median(values.back()));
		if (elapsed_seconds() > run.limit_seconds)
			break;
	}
	const char *how = "one thread following pointers through lines in random order, default loads; sets up to 64 "
	                  "MiB walked through "
			  "before, larger ones never visited before";
	record_table("curve.load_latency_cycles", "cycles", "bytes", at, values, how);
	for (size_t i = 0; i < at.size(); i++)
		if (at[i] == (double)((size_t)256 << 20))
			record("dram.latency_cycles", "cycles", values[i],
			       "across 256 MiB, cold, within the TLB's reach; " + std::string(how));
	record("dram.far_latency_cycles", "cycles", values.back(),
	       format("across %.0f GiB, cold, one line in each of 524288 places; ", at.back() / (1 << 30)) + how);
}

void measure_latency()
{
	CHECK(cudaFuncSetAttribute(chase<false>, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
	measure_near_memories();
	measure_l2_distance();
	measure_footprints();
}
