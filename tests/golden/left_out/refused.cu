// A launch that the GPU refuses and one that computes without an effect cost the other kernels nothing.
struct P { float x, y, z; };
__global__ void tall(P *p, float *o) { o[threadIdx.x] = p[blockIdx.y].x; }
__global__ void spin(int a, int flag, int *out)
{
	int x = threadIdx.x;
	for (int i = 0; i < 64; i++)
		x = x / a + 7;
	if (x && flag)
		out[0] = x;
}
__global__ void scale(P *p, float *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = p[i].x; }
int main()
{
	P *p; float *o;
	cudaMalloc(&p, 4096 * sizeof(P));
	cudaMalloc(&o, 4096 * 4);
	tall<<<dim3(1, 70000), 32>>>(p, o);
	spin<<<32768, 256>>>(3, 0, 0);
	scale<<<16, 256>>>(p, o);
}
