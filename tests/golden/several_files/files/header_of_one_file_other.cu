#include "header_of_one_file_common.h"

#ifndef THREADS
#define THREADS 128
#endif

const int width = 32;

__global__ void scale(pair *p)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	p[i].b *= FACTOR * width * M_PI;
}

void second(pair *p) { scale<<<4096 / THREADS, THREADS>>>(p); }
