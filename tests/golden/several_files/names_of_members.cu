/* Unnamed namespaces, enumerations and overloads that two files have, beside members and names of other scopes. */
#include "files/names_of_members.h"
namespace {
enum { blocks = 8, threads = 64 };
__device__ float size(float a) { return a; }
}
__global__ void first(box *p)
{
	int i = blockIdx.x * threads + threadIdx.x;

	p[i].a += size(2) + tools::size(3.f);
}
int main()
{
	box *p;

	cudaMalloc(&p, 4096 * sizeof(box));
	first<<<blocks, threads>>>(p);
	second(p);
	return 0;
}
