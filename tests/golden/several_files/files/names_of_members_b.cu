#include "names_of_members.h"
enum { blocks = 16, threads = 128 };
static __device__ int size(int a) { return a; }
__global__ void other(box *p)
{
	int i = blockIdx.x * threads + threadIdx.x;

	p[i].size *= size(2) * tools::size(3.f) / (p + i)->size;
}
void second(box *p) { other<<<blocks, threads>>>(p); }
