// Streams, pinned memory and asynchronous copies; several launches in a loop; wrapper functions; error checks in an if.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct Cell { float value; float flux[4]; int flag; };

static void check(cudaError_t e, const char *what)
{
	if (e != cudaSuccess) {
		printf("%s: %s\n", what, cudaGetErrorString(e));
		exit(1);
	}
}

__global__ void flux(Cell *c, int w, int h)
{
	int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
	if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
	int i = y * w + x;
	c[i].flux[0] = c[i].value - c[i - 1].value;
	c[i].flux[1] = c[i].value - c[i + 1].value;
	c[i].flux[2] = c[i].value - c[i - w].value;
	c[i].flux[3] = c[i].value - c[i + w].value;
}

__global__ void apply(Cell *c, int w, int h)
{
	int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
	if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
	Cell *p = &c[y * w + x];
	float s = 0;
	for (int k = 0; k < 4; k++)
		s += p->flux[k];
	p->value -= 0.1f * s;
	p->flag++;
}

int main()
{
	const int w = 24, h = 17;
	Cell *host, *device;
	cudaStream_t stream;
	check(cudaStreamCreate(&stream), "stream");
	check(cudaMallocHost((void **)&host, w * h * sizeof(Cell)), "host");
	if (cudaMalloc((void **)&device, w * h * sizeof(Cell)) != cudaSuccess) {
		printf("no memory\n");
		return 1;
	}
	for (int i = 0; i < w * h; i++) {
		host[i].value = i % 10;
		for (int k = 0; k < 4; k++)
			host[i].flux[k] = 0;
		host[i].flag = 0;
	}
	check(cudaMemcpyAsync(device, host, w * h * sizeof(Cell), cudaMemcpyHostToDevice, stream), "copy");
	dim3 threads(16, 8);
	dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
	for (int t = 0; t < 3; t++) {
		flux<<<blocks, threads, 0, stream>>>(device, w, h);
		apply<<<blocks, threads, 0, stream>>>(device, w, h);
	}
	check(cudaMemcpyAsync(host, device, w * h * sizeof(Cell), cudaMemcpyDeviceToHost, stream), "copy back");
	check(cudaStreamSynchronize(stream), "sync");
	for (int i = 0; i < w * h; i += 5)
		printf("%g %g %d\n", host[i].value, host[i].flux[2], host[i].flag);
	cudaFree(device);
	cudaFreeHost(host);
	cudaStreamDestroy(stream);
	return 0;
}
