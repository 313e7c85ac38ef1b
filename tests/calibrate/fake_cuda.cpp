/*
 * A CUDA runtime without a GPU, for benchmarks/calibrate alone: kernels are the C functions that ptx_to_c.py wrote into kernels.inc, run thread
 * by thread on the host. It checks what a GPU would answer with an error or with silence: every access lies in an allocation and is
 * aligned, blocks fit the launch limits, loops end.
 *
 * Time is the number of instructions, and for kernels of one thread per block a memory system of known latencies, so that what the
 * program finds out can be compared with what is true here: an L1 of 1024 lines of four sectors, emptied by each launch, written through,
 * not filled by stores; an L2 of two halves, filled in pieces of 64 bytes; near or far by the SM and one bit of the address.
 * With more threads, which run one after the other, times mean nothing.
 *
 * Of a grid of more than 64 blocks only the first two, the middle one and the last two are run.
 */
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

#include <cuda_runtime_api.h>

static const unsigned emulated_sms = 2;
static const size_t device_bytes = (size_t)72 << 20;
/* More instructions than any thread's share of a launch takes. */
static const uint64_t thread_tick_limit = (uint64_t)1 << 32;

struct emulated_thread {
	uint64_t tid, ntid, ctaid, nctaid;
	char *shared;
	size_t shared_bytes;
	const char *kernel;
	ucontext_t context;
	bool waiting, done;
};
/* A variable in constant memory, and where its place is kept. */
struct emulated_constant {
	const char *name;
	char **place;
};
struct emulated_kernel {
	const char *name;
	void (*run)(void **arguments, struct emulated_thread *t);
	size_t static_shared;
};

static uint64_t emulated_ticks, emulated_nanoseconds, thread_start;
static ucontext_t scheduler;
static std::map<uint64_t, size_t> allocations;
static uint64_t captured_launches;

static void refuse(const struct emulated_thread *t, const char *what, uint64_t address, size_t size)
{
	fprintf(stderr, "fake_cuda: %s: block %llu thread %llu: %s: %zu bytes at %#llx\n", t->kernel, (unsigned long long)t->ctaid,
	        (unsigned long long)t->tid, what, size, (unsigned long long)address);
	exit(99);
}

static void charge(const struct emulated_thread *t, uint64_t ticks)
{
	emulated_ticks += ticks;
	if (emulated_ticks - thread_start > thread_tick_limit)
		refuse(t, "does not end", 0, 0);
}

/* ---- the memory system ---------------------------------------------------------------------------------------- */

enum access { LOAD, LOAD_PAST_L1, STORE };
static const uint64_t l1_cycles = 30, near_cycles = 200, far_cycles = 300, dram_cycles = 600, store_cycles = 5, shared_cycles = 25;
static const size_t l1_lines = 1024, l2_lines = (size_t)32 << 10;

/* Fully associative, the line used longest ago goes first. */
struct l1_line {
	uint64_t line;
	unsigned sectors;
};
static std::list<l1_line> l1;
static std::unordered_map<uint64_t, std::list<l1_line>::iterator> l1_index;
/* Direct mapped: the line in each place, and which of its four sectors are there. */
static struct l2_line {
	uint64_t line;
	unsigned sectors;
} l2[l2_lines];
/* One thread per block: time is the memory system's. */
static bool latency_matters;

static bool l1_hit(uint64_t address)
{
	auto found = l1_index.find(address / 128);
	if (found == l1_index.end())
		return false;
	l1.splice(l1.begin(), l1, found->second);
	return found->second->sectors >> (address / 32 % 4) & 1;
}

static void l1_fill(uint64_t address)
{
	uint64_t line = address / 128;
	if (!l1_index.count(line)) {
		l1.push_front({line, 0});
		l1_index[line] = l1.begin();
	}
	l1_index[line]->sectors |= 1u << (address / 32 % 4);
	if (l1.size() > l1_lines) {
		l1_index.erase(l1.back().line);
		l1.pop_back();
	}
}

/* Fills the L2 and says whether the sector was there. */
static bool l2_access(uint64_t address)
{
	l2_line *place = &l2[address / 128 % l2_lines];
	unsigned sector = address / 32 % 4;
	if (place->line != address / 128) {
		place->line = address / 128;
		place->sectors = 0;
	}
	bool hit = place->sectors >> sector & 1;
	place->sectors |= 3u << (sector & 2);
	return hit;
}

static uint64_t access_cycles(const struct emulated_thread *t, uint64_t address, enum access how)
{
	bool in_l2;
	if (!latency_matters) {
		l2_access(address);
		return 100;
	}
	if (how == LOAD && l1_hit(address))
		return l1_cycles;
	in_l2 = l2_access(address);
	if (how == LOAD)
		l1_fill(address);
	if (how == STORE)
		return store_cycles;
	return !in_l2 ? dram_cycles : (address >> 13 ^ t->ctaid) & 1 ? far_cycles : near_cycles;
}

static char *global_place(struct emulated_thread *t, uint64_t address, size_t size, enum access how)
{
	static uint64_t low = 1, high;
	charge(t, access_cycles(t, address, how) - 1);
	if (address % size != 0)
		refuse(t, "misaligned access", address, size);
	if (address >= low && address + size <= high && allocations.count(low))
		return (char *)address;
	auto above = allocations.upper_bound(address);
	if (above == allocations.begin())
		refuse(t, "access outside of all memory", address, size);
	--above;
	if (address + size > above->first + above->second)
		refuse(t, "access beyond an allocation", address, size);
	low = above->first;
	high = above->first + above->second;
	return (char *)address;
}

static char *shared_place(struct emulated_thread *t, uint64_t address, size_t size)
{
	charge(t, shared_cycles - 1);
	if (address % size != 0 || address + size > t->shared_bytes)
		refuse(t, "shared access out of range or misaligned", address, size);
	return t->shared + address;
}

static inline uint64_t fetch(const char *place, size_t size)
{
	uint64_t value = 0;
	memcpy(&value, place, size);
	return value;
}
static inline float as_float(uint64_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}
static inline double as_double(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}
static inline uint64_t of_float(float value)
{
	uint64_t bits = 0;
	memcpy(&bits, &value, sizeof value);
	return bits;
}
static inline uint64_t of_double(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}
static inline int32_t float_to_int(double value)
{
	return std::isnan(value) ? 0 : value >= INT_MAX ? INT_MAX : value <= INT_MIN ? INT_MIN : (int32_t)value;
}
static inline uint32_t lookup(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
	uint32_t out = 0;
	for (unsigned row = 0; row < 8; row++)
		if (table >> row & 1)
			out |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
	return out;
}
static inline uint64_t emulated_clock()
{
	return emulated_ticks;
}
static inline uint64_t emulated_timer()
{
	const uint64_t step = 5000000; /* long, so that loops that wait for the timer end soon; a tick is a nanosecond */
	emulated_ticks += step;
	return emulated_nanoseconds += step;
}
static void emulated_barrier(struct emulated_thread *t)
{
	t->waiting = true;
	swapcontext(&t->context, &scheduler);
}

#include "kernels.inc"

/* ---- launches --------------------------------------------------------------------------------------------- */

/* A function's static: kernels are registered before main, in no order. */
static std::map<const void *, const emulated_kernel *> &registered()
{
	static std::map<const void *, const emulated_kernel *> kernels;
	return kernels;
}
static cudaError_t last_error;
static std::map<const void *, size_t> dynamic_limits;
static struct {
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
} configuration;

static const emulated_kernel *running;
static void **running_arguments;

static void thread_main(unsigned high, unsigned low)
{
	struct emulated_thread *t = (struct emulated_thread *)((uint64_t)high << 32 | low);
	running->run(running_arguments, t);
	t->done = true;
	swapcontext(&t->context, &scheduler);
}

static const size_t stack_bytes = 64 << 10;
static std::vector<char> stacks;

/* Runs each thread up to the next barrier in turn, until all have ended. */
static void run_block(std::vector<emulated_thread> &threads)
{
	size_t alive = threads.size();
	for (size_t i = 0; i < threads.size(); i++) {
		struct emulated_thread *t = &threads[i];
		getcontext(&t->context);
		t->context.uc_stack.ss_sp = &stacks[i * stack_bytes];
		t->context.uc_stack.ss_size = stack_bytes;
		t->context.uc_link = nullptr;
		makecontext(&t->context, (void (*)())thread_main, 2, (unsigned)((uint64_t)t >> 32), (unsigned)(uint64_t)t);
	}
	while (alive) {
		size_t waiting = 0;
		for (emulated_thread &t : threads) {
			if (t.done)
				continue;
			t.waiting = false;
			thread_start = emulated_ticks;
			swapcontext(&scheduler, &t.context);
			alive -= t.done;
			waiting += t.waiting;
		}
		if (waiting && waiting != alive)
			refuse(&threads[0], "threads of one block ended while others wait at a barrier", 0, 0);
	}
}

static cudaError_t launch(const void *function, dim3 grid, dim3 block, void **arguments, size_t dynamic)
{
	const emulated_kernel *kernel = registered().count(function) ? registered()[function] : nullptr;
	size_t limit = dynamic_limits.count(function) ? dynamic_limits[function] : 48 << 10;
	if (!kernel || !grid.x || !block.x || block.x > 1024 || dynamic + kernel->static_shared > limit || grid.x > INT_MAX)
		return last_error = cudaErrorInvalidConfiguration;
	std::vector<char> shared(kernel->static_shared + dynamic + 16);
	std::vector<emulated_thread> threads(block.x);
	stacks.resize(1024 * stack_bytes);
	running = kernel;
	latency_matters = block.x == 1;
	running_arguments = arguments;
	for (uint64_t b = 0; b < grid.x; b++) {
		if (grid.x > 64 && b > 1 && b < grid.x - 2 && b != grid.x / 2)
			continue;
		for (unsigned i = 0; i < block.x; i++) {
			threads[i] = {};
			threads[i].tid = i;
			threads[i].ntid = block.x;
			threads[i].ctaid = b;
			threads[i].nctaid = grid.x;
			threads[i].shared = shared.data();
			threads[i].shared_bytes = kernel->static_shared + dynamic;
			threads[i].kernel = kernel->name;
		}
		l1.clear();
		l1_index.clear();
		run_block(threads);
	}
	captured_launches++;
	emulated_nanoseconds += 2000 + emulated_ticks % 1000 + (uint64_t)grid.x / 2;
	return cudaSuccess;
}

extern "C" {
void **__cudaRegisterFatBinary(void *)
{
	static void *handle;
	return &handle;
}
void __cudaRegisterFatBinaryEnd(void **)
{
}
void __cudaUnregisterFatBinary(void **)
{
}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *, int *)
{
	for (const emulated_kernel &kernel : emulated_kernels)
		if (strcmp(kernel.name, name) == 0)
			registered()[host] = &kernel;
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream)
{
	configuration = {grid, block, shared, stream};
	return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	*grid = configuration.grid;
	*block = configuration.block;
	*shared = configuration.shared;
	*(cudaStream_t *)stream = configuration.stream;
	return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
	*kernel = (cudaKernel_t)function;
	return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t)
{
	return launch((const void *)kernel, grid, block, arguments, shared);
}
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t)
{
	return launch(function, grid, block, arguments, shared);
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

static size_t allocated_bytes()
{
	size_t sum = 0;
	for (const auto &entry : allocations)
		sum += entry.second;
	return sum;
}

cudaError_t cudaMalloc(void **place, size_t bytes)
{
	*place = nullptr;
	if (!bytes || posix_memalign(place, 512, bytes + 1024) != 0)
		return last_error = cudaErrorMemoryAllocation;
	if (bytes <= (size_t)64 << 20)
		memset(*place, 0xa5, bytes);
	allocations[(uint64_t)*place] = bytes;
	return cudaSuccess;
}
cudaError_t cudaFree(void *place)
{
	if (place && !allocations.erase((uint64_t)place)) {
		fprintf(stderr, "fake_cuda: freeing what was not allocated\n");
		exit(99);
	}
	free(place);
	return cudaSuccess;
}
static void check_range(const void *place, size_t bytes)
{
	auto above = allocations.upper_bound((uint64_t)place);
	if (above != allocations.begin())
		--above;
	if (above == allocations.end() || (uint64_t)place < above->first ||
	    (uint64_t)place + bytes > above->first + above->second) {
		fprintf(stderr, "fake_cuda: a copy or memset outside of device memory\n");
		exit(99);
	}
}
cudaError_t cudaMemset(void *place, int value, size_t bytes)
{
	check_range(place, bytes);
	if (bytes <= (size_t)64 << 20)
		memset(place, value, bytes);
	return cudaSuccess;
}
static std::map<const void *, char *> constants_by_host;

extern "C" void __cudaRegisterVar(void **, char *host, char *, const char *name, int, size_t bytes, int, int)
{
	void *place = nullptr;
	for (const struct emulated_constant *one = emulated_constants; one->name; one++)
		if (strcmp(one->name, name) == 0 && cudaMalloc(&place, bytes) == cudaSuccess)
			constants_by_host[host] = *one->place = static_cast<char *>(place);
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, cudaMemcpyKind)
{
	memcpy(constants_by_host.at(symbol) + offset, from, bytes);
	return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
	check_range(kind == cudaMemcpyHostToDevice ? to : from, bytes);
	memcpy(to, from, bytes);
	return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
	size_t used = allocated_bytes();
	*total = device_bytes;
	*available = used < device_bytes ? device_bytes - used : 0;
	return cudaSuccess;
}

/* ---- device, events, streams, graphs --------------------------------------------------------------------------- */

#undef cudaGetDeviceProperties
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int)
{
	memset(properties, 0, sizeof *properties);
	strcpy(properties->name, "emulated \"GPU\"");
	properties->major = 9;
	properties->multiProcessorCount = (int)emulated_sms;
	properties->l2CacheSize = (int)(l2_lines * 128);
	properties->totalGlobalMem = device_bytes;
	properties->maxThreadsPerMultiProcessor = 2048;
	properties->sharedMemPerBlockOptin = 64 << 10;
	return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int)
{
	*value = which == cudaDevAttrMultiProcessorCount                ? (int)emulated_sms
	         : which == cudaDevAttrMaxThreadsPerMultiProcessor      ? 2048
	         : which == cudaDevAttrL2CacheSize                      ? (int)(l2_lines * 128)
	         : which == cudaDevAttrMemoryClockRate                  ? 1000000000
	         : which == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? 65 << 10
	         : which == cudaDevAttrMaxSharedMemoryPerBlockOptin     ? 64 << 10
	         : which == cudaDevAttrReservedSharedMemoryPerBlock     ? 1 << 10
	         : which == cudaDevAttrMaxRegistersPerMultiprocessor    ? 64 << 10
	         : which == cudaDevAttrMaxRegistersPerBlock             ? 64 << 10
	         : which == cudaDevAttrMaxThreadsPerBlock               ? 1024
	         : which == cudaDevAttrWarpSize                         ? 32
	                                                                : 1000;
	return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit)
{
	*value = 64;
	return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value)
{
	if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
		dynamic_limits[function] = (size_t)value;
	return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device)
{
	*device = 0;
	return cudaSuccess;
}
cudaError_t cudaSetDevice(int)
{
	return cudaSuccess;
}
cudaError_t cudaDeviceReset()
{
	return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize()
{
	return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version)
{
	*version = 13000;
	return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = 13000;
	return cudaSuccess;
}
cudaError_t cudaGetLastError()
{
	cudaError_t error = last_error;
	last_error = cudaSuccess;
	return error;
}
const char *cudaGetErrorString(cudaError_t error)
{
	return error ? "an emulated error" : "no error";
}
const char *cudaGetErrorName(cudaError_t error)
{
	return error ? "cudaErrorEmulated" : "cudaSuccess";
}
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	*event = (cudaEvent_t) new uint64_t(0);
	return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	delete (uint64_t *)event;
	return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
	*(uint64_t *)event = emulated_nanoseconds += 700;
	return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
	*milliseconds = (float)(*(uint64_t *)stop - *(uint64_t *)start) * 1e-6f;
	return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
	*stream = (cudaStream_t)1;
	return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t)
{
	return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
	return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode)
{
	captured_launches = 0;
	return cudaSuccess;
}
/* A graph is the number of its kernels, and one. */
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *graph)
{
	*graph = (cudaGraph_t)(captured_launches + 1);
	return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long)
{
	*executable = (cudaGraphExec_t)graph;
	return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t)
{
	return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t)
{
	return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t)
{
	emulated_nanoseconds += 5000 + 400 * ((uint64_t)executable - 1);
	return cudaSuccess;
}
