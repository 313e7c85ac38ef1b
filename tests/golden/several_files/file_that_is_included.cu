// A file of the program that two others include, too: it comes in once, given before those and behind them.
struct cell { float a, b; };
#include "files/file_that_is_included_b.cu"

__global__ void step(cell *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i].a = twice(c[i].a);
}

void run(cell *c, int n);

int main()
{
	cell *c;
	cudaMalloc(&c, 4096 * sizeof(cell));
	step<<<16, 256>>>(c, 4096);
	run(c, 4096);
}
