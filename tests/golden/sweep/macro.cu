/* args: --sweep N=1000:1000000:x100 */
#ifndef N
#define N 5000
#endif
struct pair { float a, b; };

__global__ void first(const pair *p, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < N)
		out[i] = p[i].a;
}

int main()
{
	pair *p;
	float *out;
	cudaMalloc(&p, N * sizeof *p);
	cudaMalloc(&out, N * sizeof *out);
	first<<<(N + 127) / 128, 128>>>(p, out);
	return 0;
}
