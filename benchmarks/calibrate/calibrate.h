/*
 * calibrate: microbenchmarks that fill a machine file. A program of its own: nvcc is all it needs.
 *
 *   calibrate.cu     options, the sections in order, progress
 *   results.cu       what was measured: statistics and the JSON object
 *   device.cu        memory, timing, warm-up, eviction of the L2
 *   limits.cu        what the device says of itself; clocks under load; launch and event overhead
 *   instructions.cu  latency and issue interval of each instruction class
 *   latency.cu       dependent loads: L1, L2 near and far, DRAM within and beyond the TLB's reach, shared memory
 *   warp_access.cu   cycles of one warp load or store against stride, tags, banks
 *   bandwidth.cu     L1, L2 and DRAM by access width, mix and occupancy; short cold launches
 *   parallelism.cu   loads in flight per warp and per SM
 *   policy.cu        sectors, lines, what a miss fetches, what a partly written sector costs
 *   synchronize.cu   barriers and atomics
 *   core.cu          special registers, constants, results by width, branches, code that is not in the instruction
 * caches queue.cu         queues before the load-store unit, loads on their way, who goes on stores.cu        merging,
 * partly written sectors, hot lines contention.cu    atomics by the number of bins and how they lie sharing.cu one set
 * read by all SMs, cold launches of several arrays sass.cu          what the compiler made of the loops, where
 * cuobjdump is present kernels.h        what kernels share: counters, loads and stores that stay what they are
 *
 * Every time inside a kernel is taken with the 64-bit cycle counter over thousands of operations; no load is timed
 * alone. No managed memory. Every CUDA call and every launch is checked; a failing section is reported and the others
 * still run.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime.h>

/* ---- results.cu ------------------------------------------------------------------------------------ */

/* One value per repeat. */
typedef std::vector<double> samples;
double median(samples values);
/* The value below which the given share (0..1) of the values lies. Values must not be empty. */
double quantile(samples values, double share);
/* Each value transformed, as for 32 / interval. */
samples transform(const samples &values, const std::function<double(double)> &change);

/*
 * Adds one result: median, smallest and largest of the values. key is "group.key" of a machine file, or a further one
 * of the same form. units: cycles, Hz, s, bytes, bytes/s, bytes/cycle, threads/cycle, tags/cycle, count, boolean,
 * operations/s, ratio.
 */
void record(const std::string &key, const char *unit, const samples &values, const std::string &method);
/* Adds a value read from the device: no repeats. */
void record_property(const std::string &key, const char *unit, double value, const std::string &method);
/* A table over one axis: at[i] has the repeats values[i]. axis says what `at` is. */
void record_table(const std::string &key, const char *unit, const char *axis, const std::vector<double> &at,
                  const std::vector<samples> &values, const std::string &method);
/* Notes that a section failed or was left out, and why. */
void record_failure(const std::string &section, const std::string &reason);
/* printf into a string. */
std::string format(const char *text, ...) __attribute__((format(printf, 1, 2)));
/* The text as a JSON string, with its quotes. */
std::string json_text(const std::string &text);
/* The JSON object of all that was recorded so far. complete: false while sections are still to come. */
std::string results_json(bool complete);

/* ---- calibrate.cu ---------------------------------------------------------------------------------- */

struct settings {
	int repeats;          /* at least 11, or 3 with --quick */
	bool quick;           /* short tables, for trying out */
	double limit_seconds; /* no section starts after this; long ones stop */
	std::string header;   /* of the results: lines of JSON members */
	cudaDeviceProp properties;
};
extern settings run;
/* Seconds since the program started. */
double elapsed_seconds();
/* A line of progress on stderr. */
void progress(const char *text, ...) __attribute__((format(printf, 1, 2)));

void measure_limits();
void measure_clock();
void measure_launch();
void measure_instructions();
void measure_warp_access();
void measure_latency();
void measure_bandwidth();
void measure_policy();
void measure_parallelism();
void measure_synchronization();
void measure_core();
void measure_queue();
void measure_stores();
void measure_contention();
void measure_sharing();
/* Compares the loops of the instruction kernels with what they should hold. false: something else, or cuobjdump is
 * missing. */
bool check_sass(bool report);

/* ---- device.cu --------------------------------------------------------------------------------------- */

/* Thrown by CHECK; names call, place and CUDA's message. */
struct failure {
	std::string text;
};
void check(cudaError_t error, const char *call, const char *file, int line);
#define CHECK(call) check((call), #call, __FILE__, __LINE__)
/* After a launch: its error, then that of its execution. */
#define CHECK_LAUNCH()                                                                                                 \
	(check(cudaGetLastError(), "launch", __FILE__, __LINE__),                                                      \
	 check(cudaDeviceSynchronize(), "kernel", __FILE__, __LINE__))

/* Device memory, zeroed where it is not huge; freed at the end of its scope. */
class buffer
{
      public:
	explicit buffer(size_t bytes, bool zero = true);
	~buffer();
	buffer(const buffer &) = delete;
	buffer &operator=(const buffer &) = delete;
	char *data;
	size_t bytes;
	template <class T> T *as() const
	{
		return reinterpret_cast<T *>(data);
	}
	template <class T> void upload(const std::vector<T> &values)
	{
		if (values.size() * sizeof(T) > bytes)
			throw failure{"upload over the end of a buffer"};
		CHECK(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
	}
	template <class T> std::vector<T> download(size_t count) const
	{
		if (count * sizeof(T) > bytes)
			throw failure{"download over the end of a buffer"};
		std::vector<T> values(count);
		CHECK(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
		return values;
	}
};

/* Fills memory with words that differ, the highest bit of each 0. */
void fill(const buffer &memory);

/* What lane 0 of a warp writes: the SM's cycle counter before and after. */
struct span {
	long long start, stop;
};
/*
 * Launches `launch` once to warm up and then once per repeat. Each warp w of block b writes spans[b * warps + w].
 * Returns per repeat the median over the blocks of (last stop - first start), in cycles. A span that was not written is
 * an error.
 */
samples measure_cycles(int blocks, int warps, const std::function<void(span *)> &launch);
/* GPU seconds between two events around `launch`, per repeat; `prepare` (may be empty) runs before each, outside the
 * time. */
samples measure_seconds(const std::function<void()> &prepare, const std::function<void()> &launch);
/* Keeps all SMs busy for the given time, so that clocks are those under load. */
void warm_up(double seconds);
/* Replaces what the L2 holds by lines of a scratch buffer: clean ones (read), or dirty ones (written). */
void evict_l2(bool dirty);
/* Frees all of the device's memory and clears its error; after a failure. */
void reset_device();
/* Bytes that may still be allocated, with a margin. */
size_t free_bytes();
/* SMs of the device. */
int sm_count();
/* Deterministic random numbers below bound. */
uint32_t random_below(uint32_t bound);
/* 0..count-1 in random order. */
std::vector<uint32_t> random_order(uint32_t count);

#endif
