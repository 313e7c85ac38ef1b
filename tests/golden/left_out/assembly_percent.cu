// nvcc reads %smid where libclang wants %%smid: the assembly is left out, the kernel is not
struct point { float x, y, z; };
__global__ void sum(const point *p, float *out, unsigned *where, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned sm;
	asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
	if (i < n) {
		out[i] = p[i].x + p[i].y;
		where[i] = sm;
	}
}
int main()
{
	point *p; float *out; unsigned *where;
	cudaMalloc(&p, 1000000 * sizeof(point)); cudaMalloc(&out, 4000000); cudaMalloc(&where, 4000000);
	sum<<<3907, 256>>>(p, out, where, 1000000);
	cudaDeviceSynchronize();
}
