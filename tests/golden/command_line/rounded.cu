// Sizes that are rounded by functions of the C library.
#include <cmath>

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = 1.0f;
}

int main()
{
	float *p, scale = fmaxf(0.75f, 0.5f);
	int n = (int)rint(65536 / 1.5f), m = (int)lrint(1000.5), k = (int)nearbyintf(999.7f);
	cudaMalloc(&p, 4 << 20);
	fill<<<(n + 255) / 256, 256>>>(p, n);
	fill<<<m, 256>>>(p, 1000);
	fill<<<k, 256>>>(p, 1000);
	fill<<<(int)(400 * scale), 256>>>(p, 1000);
}
