// Records with padding, long member arrays and members of the names that the functions which move them would take; buffers of bytes.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

struct sample {
	char kind;
	double weights[2][3];
	int records, count, i;
};

namespace field
{
struct cell {
	float height;
	short flags[5];
};
}

__global__ void step(sample *s, field::cell *c, int n)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= n)
		return;
	for (int a = 0; a < 2; a++)
		for (int b = 0; b < 3; b++)
			s[t].weights[a][b] += s[t].count * (a + b);
	s[t].records += s[t].i;
	s[t].kind++;
	c[t].height += c[t].flags[s[t].i % 5];
	c[t].flags[t % 5]++;
}

int main()
{
	const int n = 71;
	std::vector<field::cell> cells(n);
	void *bytes = malloc(n * sizeof(sample));
	sample *samples = (sample *)bytes, *s;
	field::cell *c;
	for (int t = 0; t < n; t++) {
		samples[t].kind = 'a' + t % 20;
		for (int k = 0; k < 6; k++)
			samples[t].weights[k / 3][k % 3] = t + k / 8.0;
		samples[t].records = t;
		samples[t].count = t % 7;
		samples[t].i = 3 * t;
		cells[t].height = t / 4.0f;
		for (int k = 0; k < 5; k++)
			cells[t].flags[k] = t - k;
	}
	if (cudaMalloc(&s, n * sizeof(sample)) != cudaSuccess || cudaMalloc(&c, n * sizeof(field::cell)) != cudaSuccess)
		return 1;
	if (cudaMemcpy(s, bytes, n * sizeof(sample), cudaMemcpyHostToDevice) != cudaSuccess)
		return 1;
	cudaMemcpy(c, cells.data(), n * sizeof(field::cell), cudaMemcpyHostToDevice);
	step<<<(n + 31) / 32, 32>>>(s, c, n);
	cudaMemcpy(bytes, s, n * sizeof(sample), cudaMemcpyDeviceToHost);
	cudaMemcpy(&cells[10], c, (n - 10) * sizeof(field::cell), cudaMemcpyDeviceToHost);
	double sum = 0;
	for (int t = 0; t < n; t++) {
		for (int k = 0; k < 6; k++)
			sum += samples[t].weights[k / 3][k % 3] * (k + 1);
		for (int k = 0; k < 5; k++)
			sum += cells[t].flags[k] * (k + t);
		sum += samples[t].records + samples[t].kind * t + cells[t].height;
	}
	printf("%.6f\n", sum);
	cudaFree(s);
	cudaFree(c);
	free(bytes);
	return 0;
}
