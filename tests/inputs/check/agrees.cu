// same: status 0, 100 lines of output, and 2 copies to the host; in device memory 4 arrays and members after 1 launch
// words: 100
#include <cstdio>
#include <cstdlib>
struct body {
	double x;
	float v;
	char kind; // three bytes of padding follow
};

__global__ void step(body *p, double *sums, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		p[i].x += p[i].v * 0.5;
		sums[i] = p[i].x + p[i].kind;
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;
	body *h = (body *)malloc(n * sizeof(body)), *d;
	double *sums = (double *)malloc(n * sizeof(double)), *d_sums;
	for (int i = 0; i < n; i++) {
		h[i].x = i;
		h[i].v = 1.0f / (i + 1);
		h[i].kind = i % 7;
	}
	cudaMalloc(&d, n * sizeof(body));
	cudaMalloc(&d_sums, n * sizeof(double));
	cudaMemcpy(d, h, n * sizeof(body), cudaMemcpyHostToDevice);
	step<<<(n + 63) / 64, 64>>>(d, d_sums, n);
	cudaMemcpy(h, d, n * sizeof(body), cudaMemcpyDeviceToHost);
	cudaMemcpy(sums, d_sums, n * sizeof(double), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		printf("%g %g\n", h[i].x, sums[i]);
	cudaFree(d);
	cudaFree(d_sums);
	free(h);
	free(sums);
	return 0;
}
