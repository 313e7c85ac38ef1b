/*
 * Runs kernels on the CPU and records their memory requests. The compiler instruments each access (-fsanitize=thread,
 * with the callbacks of emulate.cpp in place of the runtime). Markers in the program say which line of the source a
 * statement stands on, and where loops and calls begin: lanes of a warp that execute the same line in the same
 * iterations make one request. All that needs no type of the program lies in emulate.cpp, so that a program compiles
 * fast.
 */
#ifndef TESTS_GENERATOR_EMULATE_H
#define TESTS_GENERATOR_EMULATE_H

#define HOST_CUDA_OWN_LAUNCHES
#include "../host_cuda/host_cuda.h"

#define __shared__ static

/* A kernel with its arguments. */
typedef void (*emulate_kernel)(const void *call);

/* Runs a launch; the indices of what runs stand in three numbers each. */
void emulate_launch(const unsigned *grid, const unsigned *block, unsigned *block_index, unsigned *thread_index,
                    emulate_kernel kernel, const void *call);
void emulate_barrier();
void emulate_line(int line);
void emulate_push(int id);
void emulate_step();
void emulate_pop();
void emulate_memory(void *start, size_t bytes);
void emulate_freed(void *start);
/* Runs each program in a process of its own: what it prints goes to FOLDER/N.out, its requests to FOLDER/N.counts, how
 * it ended to N.status. */
int emulate_programs(const char *folder, int (*const *programs)(), int count);

struct emulate_scope {
	explicit emulate_scope(int id)
	{
		emulate_push(id);
	}
	~emulate_scope()
	{
		emulate_pop();
	}
};

template <typename F> static void host_cuda_launch(dim3 grid, dim3 block, const F &call)
{
	gridDim = grid;
	blockDim = block;
	emulate_launch(
		&grid.x, &block.x, &blockIdx.x, &threadIdx.x, [](const void *made) { (*(const F *)made)(); }, &call);
}

static inline void __syncthreads()
{
	emulate_barrier();
}

template <typename T> static cudaError_t emulate_malloc(T **pointer, size_t bytes)
{
	cudaError_t error = cudaMalloc(pointer, bytes);

	emulate_memory(*pointer, bytes);
	return error;
}
static inline cudaError_t emulate_free(void *pointer)
{
	emulate_freed(pointer);
	return cudaFree(pointer);
}
#define cudaMalloc emulate_malloc
#define cudaFree emulate_free

#endif
