struct cell { float a, b; };
#include "file_that_is_included_b.cu"

__global__ void halve(cell *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i].b = twice(c[i].b) / 4;
}

void run(cell *c, int n)
{
	halve<<<floor_power(n) / 256, 256>>>(c, n);
}
