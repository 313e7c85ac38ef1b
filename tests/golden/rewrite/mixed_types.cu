// Members of different sizes keep their alignment in every layout.
// back: device_tag,device_value,device_kind,device_weight,device_flags
#include <stdio.h>
#define N 50

struct mixed {
	char tag;
	double value;
	short kind;
	float weight;
	unsigned char flags;
};

__global__ void fill(mixed *m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		m[i].tag = 'a' + i % 26;
		m[i].value = i / 3.0;
		m[i].kind = -i;
		m[i].weight = m[i].value * m[i].kind;
		m[i].flags = m[i].flags | i;
	}
}

int main(void)
{
	mixed *device, *host = new mixed[N]();

	cudaMalloc(&device, N * sizeof(mixed));
	cudaMemcpy(device, host, N * sizeof(mixed), cudaMemcpyHostToDevice);
	fill<<<2, 32>>>(device);
	cudaMemcpy(host, device, N * sizeof(mixed), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%c %g %d %g %d\n", host[i].tag, host[i].value, host[i].kind, host[i].weight, host[i].flags);
	cudaFree(device);
	delete[] host;
	return 0;
}
