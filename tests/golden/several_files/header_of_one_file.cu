/* Macros that a header of one file defines are words of another; a guarded default that two files have each for itself. */
#include "files/header_of_one_file.h"
#include "files/header_of_one_file_common.h"

#ifndef THREADS
#define THREADS 64
#endif

__global__ void first(pair *p)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	p[i].a += width;
}

int main()
{
	pair *p;

	cudaMalloc(&p, 4096 * sizeof(pair));
	first<<<4096 / THREADS, THREADS>>>(p);
	second(p);
	return 0;
}
