// A struct of device pointers that kernels take by value: passed on, copied and swapped as a whole, its members allocated, copied, set and freed one by one.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <cuda_runtime.h>

#define CHECK(call) \
	if ((call) != cudaSuccess) \
	exit(1)

// What a cell holds.
struct Cells {
	int width;
	float *density; // mass by area
	double *energy; // of all of it
	int *kind;
	const char *name;
	float *work; // by row, not by cell
	__host__ __device__ int at(int x, int y) const { return y * width + x; }
	__device__ float weight(int i) const { return density[i] * kind[i]; }
};

__device__ inline double total(const Cells &c, int x, int y) { return c.energy[c.at(x, y)] + c.density[c.at(x, y)]; }

__global__ void step(Cells from, Cells to, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x >= from.width || y >= height)
		return;
	int i = from.at(x, y);
	to.density[i] = from.weight(i) + from.density[from.at(x, (y + 1) % height)];
	to.energy[i] = total(from, x, y) + from.work[y];
	to.kind[i] = (from.kind[i] + 1) % 5;
}

__global__ void add(Cells c, int n, float by)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		atomicAdd(&c.density[i], by);
}

static Cells make(int width, int height)
{
	Cells c;
	size_t cells = (size_t)width * height;
	c.width = width;
	CHECK(cudaMalloc(&c.density, cells * sizeof(float)));
	CHECK(cudaMalloc((void **)&c.energy, cells * sizeof(double)));
	CHECK(cudaMalloc(&c.kind, sizeof(int) * cells));
	CHECK(cudaMalloc(&c.work, height * sizeof(float)));
	return c;
}

/* One on the host, whose members are copied one after another. */
static double mirrored(const Cells &device, int n)
{
	Cells host;
	double sum = 0;
	host.width = device.width;
	host.density = (float *)malloc(n * sizeof(float));
	host.energy = (double *)malloc(n * sizeof(double));
	host.kind = (int *)malloc(n * sizeof(int));
	CHECK(cudaMemcpy(host.density, device.density, n * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(host.energy, device.energy, n * sizeof(double), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(host.kind, device.kind, n * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		sum += host.density[i] * host.kind[i] + host.energy[i];
	free(host.density);
	free(host.energy);
	free(host.kind);
	return sum;
}

static void release(Cells *c)
{
	cudaFree(c->density);
	cudaFree(c->energy);
	cudaFree(c->kind);
	cudaFree(c->work);
	c->density = NULL;
	c->energy = NULL;
	c->kind = NULL;
}

int main()
{
	const int width = 37, height = 9, n = width * height;
	float *density = (float *)malloc(n * sizeof(float)), *work = (float *)malloc(height * sizeof(float));
	double *energy = (double *)malloc(n * sizeof(double)), sum = 0;
	int *kind = (int *)malloc(n * sizeof(int));
	cudaStream_t stream;
	CHECK(cudaStreamCreate(&stream));
	for (int i = 0; i < n; i++) {
		density[i] = i % 11 / 8.0f;
		energy[i] = i % 13;
		kind[i] = i % 4;
	}
	for (int y = 0; y < height; y++)
		work[y] = y / 4.0f;
	Cells a = make(width, height), b = make(width, height);
	CHECK(cudaMemcpy(a.density, density, n * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpyAsync(a.energy, energy, n * sizeof(double), cudaMemcpyHostToDevice, stream));
	CHECK(cudaMemcpy(a.kind, kind, n * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(a.work, work, height * sizeof(float), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(b.work, a.work, height * sizeof(float), cudaMemcpyDeviceToDevice));
	CHECK(cudaMemcpy(b.kind, a.kind, n * sizeof(int), cudaMemcpyDeviceToDevice));
	CHECK(cudaMemset(b.density, 0, n * sizeof(float)));
	CHECK(cudaStreamSynchronize(stream));
	for (int t = 0; t < 4; t++) {
		step<<<dim3((width + 15) / 16, height), 16>>>(a, b, height);
		std::swap(a, b);
	}
	add<<<1, 32>>>(a, n, 0.5f);
	CHECK(cudaMemcpy(density, a.density, n * sizeof(float), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyAsync(energy, a.energy, n * sizeof(double), cudaMemcpyDeviceToHost, stream));
	CHECK(cudaMemcpy(kind, a.kind, n * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaStreamSynchronize(stream));
	for (int i = 0; i < n; i++)
		sum += density[i] * (i + 1) + energy[i] * (i % 7) + kind[i];
	printf("%.6f %.6f\n", sum, mirrored(a, n));
	release(&a);
	release(&b);
	free(density);
	free(energy);
	free(kind);
	free(work);
	return 0;
}
