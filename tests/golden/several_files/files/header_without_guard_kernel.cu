#include "header_without_guard.h"
#include "header_without_guard_outer.h"

__global__ void set(row *d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	d[i].a = TWICE(i);
	d[i].b = twice(i);
}

void fill(row *d, int n) { set<<<n / 256, COUNT / 16>>>(d); }
