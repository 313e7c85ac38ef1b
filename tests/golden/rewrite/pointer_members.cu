// Records with pointers in them, read through const; a variable that is named as its type.
#include <stdio.h>
#define N 8

typedef struct line {
	float *values;
	int length;
} line;

__global__ void sums(const line *lines, float *out)
{
	int i = threadIdx.x;
	float s = 0;

	for (int k = 0; k < lines[i].length; k++)
		s += lines[i].values[k];
	line line = lines[i];
	out[i] = s + line.length;
}

int main(void)
{
	float host[N], values[N], *shared, *out;
	line lines[N], *device;

	for (int i = 0; i < N; i++)
		values[i] = i * 0.5f;
	cudaMalloc(&shared, sizeof(values));
	cudaMemcpy(shared, values, sizeof(values), cudaMemcpyHostToDevice);
	for (int i = 0; i < N; i++) {
		lines[i].values = shared + i / 2;
		lines[i].length = i / 3;
	}
	cudaMalloc(&device, N * sizeof(line));
	cudaMalloc(&out, N * sizeof(float));
	cudaMemcpy(device, lines, N * sizeof(line), cudaMemcpyHostToDevice);
	sums<<<1, N>>>(device, out);
	cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g\n", host[i]);
	cudaFree(device);
	cudaFree(shared);
	cudaFree(out);
	return 0;
}
