// Managed memory: host code reads and writes elements too, by member, as a whole, and the first of them.
#include <cstdio>

struct body {
	float x, y, mass;
};

__global__ void step(body *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		b[i].x += b[i].y * b[i].mass;
}

int main()
{
	const int n = 1 << 12;
	body *b;
	float sum = 0;

	cudaMallocManaged(&b, n * sizeof(body));
	for (int i = 0; i < n; i++)
		b[i] = body{(float)i, 0, 1};
	for (int i = 1; i < n; i++) {
		b[i].y = b[i - 1].x + 1;
		if (i % 2)
			b[i].mass = 2;
	}
	step<<<(n + 255) / 256, 256>>>(b, n);
	cudaDeviceSynchronize();
	for (int i = 0; i < n; i++)
		sum += b[i].x;
	printf("%f %f\n", sum, b->x);
	cudaFree(b);
	return 0;
}
