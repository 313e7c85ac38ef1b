/* args: --sweep argv[1]=1000:1000000:x100 -- 5000 128 */
#include <cstdlib>

struct pair { float a, b; };

__global__ void first(const pair *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = p[i].a;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), block = atoi(argv[2]);
	pair *p;
	float *out;
	cudaMalloc(&p, n * sizeof *p);
	cudaMalloc(&out, n * sizeof *out);
	first<<<(n + block - 1) / block, block>>>(p, out, n);
	return 0;
}
