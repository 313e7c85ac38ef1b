/*
 * Writes down what kernels access: the functions that -fsanitize=thread calls, and the loop over threads. This file itself is compiled without it.
 *
 * Output, in the file that is named: one record {kernel, thread, parameter, kind, size; offset} for each access to an array, in the order of execution.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "standin.h"

namespace {
const int arrays = 12, filled_words = 65536;
const size_t array_bytes = (size_t)1 << 28;
char *bases[arrays];
uint3 thread_now, block_now;
dim3 block_size = {4, 2, 1}, grid_size = {2, 2, 1};
int kernel_now = -1, thread_number;
bool running;
FILE *output;

struct record { uint32_t kernel, thread, parameter, kind, size, unused; int64_t offset; };
}

const uint3 &threadIdx = thread_now, &blockIdx = block_now;
const dim3 &blockDim = block_size, &gridDim = grid_size;

/* Word w of each array, counted from the middle, is (7 w + 3) mod 16 when a kernel begins; far out it is 0. */
void *trace_array(int parameter)
{
	if (!bases[parameter]) {
		void *memory = mmap(NULL, array_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		bases[parameter] = (char *)memory + array_bytes / 2;
		for (int w = -filled_words; w < filled_words; w++)
			((int *)bases[parameter])[w] = (7 * w + 3) & 15;
	}
	return bases[parameter];
}

/* Forgets what the kernel before has written. */
static void drop_arrays()
{
	for (int i = 0; i < arrays; i++) {
		if (bases[i])
			munmap(bases[i] - array_bytes / 2, array_bytes);
		bases[i] = NULL;
	}
}

/* Sets the next thread of the grid; false after the last one. */
bool trace_next_thread(int kernel)
{
	int per_block = (int)(block_size.x * block_size.y * block_size.z);
	int total = per_block * (int)(grid_size.x * grid_size.y * grid_size.z);

	if (kernel != kernel_now)
		drop_arrays();
	thread_number = kernel == kernel_now ? thread_number + 1 : 0;
	kernel_now = kernel;
	running = thread_number < total;
	int t = thread_number % per_block, b = thread_number / per_block;
	thread_now = {(unsigned)t % block_size.x, (unsigned)t / block_size.x % block_size.y, (unsigned)t / block_size.x / block_size.y};
	block_now = {(unsigned)b % grid_size.x, (unsigned)b / grid_size.x % grid_size.y, (unsigned)b / grid_size.x / grid_size.y};
	return running;
}

extern "C" void trace_access(const volatile void *address, size_t size, int kind)
{
	for (int i = 0; running && i < arrays; i++) {
		if (!bases[i])
			continue;
		int64_t offset = (const volatile char *)address - bases[i];

		if (offset < -(int64_t)(array_bytes / 2) || offset >= (int64_t)(array_bytes / 2))
			continue;
		record r = {(uint32_t)kernel_now, (uint32_t)thread_number, (uint32_t)i, (uint32_t)kind, (uint32_t)size, 0, offset};
		fwrite(&r, sizeof(r), 1, output);
	}
}

extern "C" {
#define ACCESS(size)                                                                                                   \
	void __tsan_read##size(void *a) { trace_access(a, size, TRACE_LOAD); }                                         \
	void __tsan_write##size(void *a) { trace_access(a, size, TRACE_STORE); }                                       \
	void __tsan_unaligned_read##size(void *a) { trace_access(a, size, TRACE_LOAD); }                               \
	void __tsan_unaligned_write##size(void *a) { trace_access(a, size, TRACE_STORE); }                             \
	void __tsan_volatile_read##size(void *a) { trace_access(a, size, TRACE_LOAD); }                                \
	void __tsan_volatile_write##size(void *a) { trace_access(a, size, TRACE_STORE); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)
void __tsan_read_range(void *a, size_t size) { trace_access(a, size, TRACE_LOAD); }
void __tsan_write_range(void *a, size_t size) { trace_access(a, size, TRACE_STORE); }
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void *, void *) {}
void __tsan_vptr_read(void *) {}
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	trace_access(from, size, TRACE_LOAD);
	trace_access(to, size, TRACE_STORE);
	return memcpy(to, from, size);
}
void *__tsan_memset(void *to, int value, size_t size)
{
	trace_access(to, size, TRACE_STORE);
	return memset(to, value, size);
}
}

int main(int, char **argv)
{
	output = fopen(argv[1], "wb");
	if (!output)
		return 1;
	run_kernels();
	return fclose(output) != 0;
}
