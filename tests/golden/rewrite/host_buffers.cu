// The host's buffers are of other types than the records: plain floats, and the address of an array.
#include <cstdio>
#include <cstdlib>

struct pair {
	float v;
	int pos;
};

static void upload(pair *device, float *from, int n)
{
	cudaMemcpy(device, from, n * sizeof(pair), cudaMemcpyHostToDevice);
}

__global__ void mix(const float4 *a, pair *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		p[i].v += a[i].x + a[i].w;
		p[i].pos = i;
	}
}

int main()
{
	const int n = 64;
	float *h = (float *)malloc(n * 4 * sizeof(float)), *g = (float *)malloc(n * sizeof(pair));
	pair out[n], *p;
	float4 *a;
	double sum = 0;

	for (int i = 0; i < 4 * n; i++)
		h[i] = i;
	for (int i = 0; i < 2 * n; i++)
		g[i] = i;
	cudaMalloc(&a, n * sizeof(float4));
	cudaMalloc(&p, n * sizeof(pair));
	cudaMemcpy(a, h, n * sizeof(float4), cudaMemcpyHostToDevice);
	upload(p, g, n);
	mix<<<2, 32>>>(a, p, n);
	cudaMemcpy(&out, p, sizeof(out), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += out[i].v * out[i].pos;
	printf("%g\n", sum);
	cudaFree(a);
	cudaFree(p);
	free(h);
	free(g);
	return 0;
}
