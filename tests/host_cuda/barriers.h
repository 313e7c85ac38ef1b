/*
 * Launches for kernels with shared memory, barriers and warp operations: the threads of a block are coroutines that take turns, and go on past a barrier
 * when all that still run have come to it. Blocks run one after another, so shared memory is static memory. All lanes of a warp that still run take part
 * in its operations, whatever their mask says.
 */
#ifndef TESTS_HOST_CUDA_BARRIERS_H
#define TESTS_HOST_CUDA_BARRIERS_H

#include <functional>
#include <ucontext.h>
#include <vector>

#define __shared__ static
#define warpSize 32

enum host_cuda_state { HOST_CUDA_RUNS, HOST_CUDA_AT_BLOCK, HOST_CUDA_AT_WARP, HOST_CUDA_DONE };
struct host_cuda_thread {
	ucontext_t context;
	std::vector<char> stack;
	uint3 index;
	host_cuda_state state;
	unsigned char value[16]; /* what a warp operation shows to the other lanes */
};
static std::vector<host_cuda_thread> host_cuda_threads;
static unsigned host_cuda_current;
static ucontext_t host_cuda_scheduler;
static std::function<void()> host_cuda_kernel;

static void host_cuda_entry()
{
	host_cuda_kernel();
	host_cuda_threads[host_cuda_current].state = HOST_CUDA_DONE;
	swapcontext(&host_cuda_threads[host_cuda_current].context, &host_cuda_scheduler);
}

static void host_cuda_wait(host_cuda_state state)
{
	host_cuda_threads[host_cuda_current].state = state;
	swapcontext(&host_cuda_threads[host_cuda_current].context, &host_cuda_scheduler);
}

/* Lets threads [first, last) go on when all that still run wait there. Returns whether any did. */
static bool host_cuda_release(size_t first, size_t last, host_cuda_state state)
{
	bool any = false;

	for (size_t t = first; t < last; t++) {
		if (host_cuda_threads[t].state != state && host_cuda_threads[t].state != HOST_CUDA_DONE)
			return false;
		any |= host_cuda_threads[t].state == state;
	}
	for (size_t t = first; any && t < last; t++)
		if (host_cuda_threads[t].state == state)
			host_cuda_threads[t].state = HOST_CUDA_RUNS;
	return any;
}

static void host_cuda_block()
{
	size_t count = host_cuda_threads.size();

	for (bool more = true; more;) {
		for (host_cuda_current = 0; host_cuda_current < count; host_cuda_current++)
			if (host_cuda_threads[host_cuda_current].state == HOST_CUDA_RUNS) {
				threadIdx = host_cuda_threads[host_cuda_current].index;
				swapcontext(&host_cuda_scheduler, &host_cuda_threads[host_cuda_current].context);
			}
		more = host_cuda_release(0, count, HOST_CUDA_AT_BLOCK);
		for (size_t first = 0; first < count; first += warpSize)
			more |= host_cuda_release(first, std::min(first + warpSize, count), HOST_CUDA_AT_WARP);
	}
	for (const host_cuda_thread &thread : host_cuda_threads)
		if (thread.state != HOST_CUDA_DONE) {
			fprintf(stderr, "threads of a block wait at different barriers\n");
			exit(1);
		}
}

template <typename F> static void host_cuda_launch(dim3 grid, dim3 block, F kernel)
{
	gridDim = grid;
	blockDim = block;
	host_cuda_kernel = kernel;
	host_cuda_threads.resize((size_t)block.x * block.y * block.z);
	for (unsigned b = 0; b < grid.x * grid.y * grid.z; b++) {
		blockIdx = uint3{b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
		for (unsigned t = 0; t < host_cuda_threads.size(); t++) {
			host_cuda_thread &thread = host_cuda_threads[t];

			thread.index = uint3{t % block.x, t / block.x % block.y, t / block.x / block.y};
			thread.state = HOST_CUDA_RUNS;
			thread.stack.resize(65536);
			getcontext(&thread.context);
			thread.context.uc_stack.ss_sp = thread.stack.data();
			thread.context.uc_stack.ss_size = thread.stack.size();
			makecontext(&thread.context, host_cuda_entry, 0);
		}
		host_cuda_block();
	}
}

/* ---- what threads do together ------------------------------------------------------------- */

static inline void __syncthreads()
{
	host_cuda_wait(HOST_CUDA_AT_BLOCK);
}
static inline void __syncwarp(unsigned = 0)
{
	host_cuda_wait(HOST_CUDA_AT_WARP);
}
static inline void __threadfence()
{
}
static inline unsigned __activemask()
{
	return 0xffffffffu;
}

/* The value that another lane of the warp shows, or one's own where there is no such lane. */
template <typename T> static T host_cuda_exchange(T value, int lane)
{
	unsigned first = host_cuda_current / warpSize * warpSize;
	unsigned from = lane >= 0 && lane < warpSize && first + lane < host_cuda_threads.size() ? first + lane : host_cuda_current;

	static_assert(sizeof(T) <= sizeof(host_cuda_threads[0].value), "too large");
	memcpy(host_cuda_threads[host_cuda_current].value, &value, sizeof(T));
	host_cuda_wait(HOST_CUDA_AT_WARP);
	memcpy(&value, host_cuda_threads[from].value, sizeof(T));
	host_cuda_wait(HOST_CUDA_AT_WARP);
	return value;
}
template <typename T> static T __shfl_sync(unsigned, T value, int lane, int = warpSize)
{
	return host_cuda_exchange(value, lane % warpSize);
}
template <typename T> static T __shfl_down_sync(unsigned, T value, unsigned delta, int width = warpSize)
{
	int lane = host_cuda_current % warpSize;

	return host_cuda_exchange(value, lane % width + (int)delta < width ? lane + (int)delta : lane);
}
template <typename T> static T __shfl_up_sync(unsigned, T value, unsigned delta, int width = warpSize)
{
	int lane = host_cuda_current % warpSize;

	return host_cuda_exchange(value, lane % width >= (int)delta ? lane - (int)delta : lane);
}
template <typename T> static T __shfl_xor_sync(unsigned, T value, int mask, int = warpSize)
{
	return host_cuda_exchange(value, (int)(host_cuda_current % warpSize) ^ mask);
}
static inline unsigned __ballot_sync(unsigned, int predicate)
{
	unsigned first = host_cuda_current / warpSize * warpSize, result = 0;

	for (unsigned lane = 0; lane < warpSize && first + lane < host_cuda_threads.size(); lane++)
		if (host_cuda_threads[first + lane].state != HOST_CUDA_DONE && host_cuda_exchange(predicate, (int)lane))
			result |= 1u << lane;
	return result;
}

#endif
