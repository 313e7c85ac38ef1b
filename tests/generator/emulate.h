/*
 * Records the memory requests of kernels that run on the CPU through tests/host_cuda. The compiler instruments each access
 * (-fsanitize=thread, with the callbacks of emulate.cpp in place of the runtime). Markers in the program say which line of the
 * source a statement stands on, and where loops and calls begin: lanes of a warp that execute the same line in the same
 * iterations make one request.
 */
#ifndef TESTS_GENERATOR_EMULATE_H
#define TESTS_GENERATOR_EMULATE_H

#include <cstddef>

void emulate_line(int line, unsigned block, unsigned thread);
void emulate_push(int id, unsigned thread);
void emulate_step(unsigned thread);
void emulate_pop(unsigned thread);
void emulate_memory(void *start, size_t bytes);
void emulate_freed(void *start);
void emulate_launch();

static inline unsigned emulate_thread()
{
	return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

struct emulate_scope {
	unsigned thread = emulate_thread();
	explicit emulate_scope(int id)
	{
		emulate_push(id, thread);
	}
	~emulate_scope()
	{
		emulate_pop(thread);
	}
	void step()
	{
		emulate_step(thread);
	}
};

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
#define EMULATE_LINE(line) emulate_line(line, (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x, emulate_thread())

#endif
