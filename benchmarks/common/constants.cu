/*
 * Kernels of common kinds that keep something in constant memory: sizes and settings that the host learns when it runs, offsets of neighbours, coefficients, and tables that each lane looks up elsewhere. Written at one sitting, and measured before anything
 * was predicted of them. Prints CSV as kernels.cu does.
 */
#include "measure.cuh"
#include <cstdlib>

struct material {
	float conductivity, density, capacity, emissivity;
};
struct setting {
	int count, width, height;
	float step, size, damping;
	float matrix[3][3];
};

__constant__ unsigned substitutes[256];
__constant__ float weights[1024];
__constant__ material materials[16];
__constant__ int shift_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, shift_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float share[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int near[32];
__constant__ int width, height, radius;
__constant__ float mask[15 * 15];
__constant__ float edges[64];
__constant__ setting how;
__constant__ int starts[64];
__constant__ double knots[128];
__constant__ float4 colours[64];

__global__ void substitute(const unsigned *a, unsigned *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned v = a[i];
	for (int round = 0; round < 8; round++)
		v = substitutes[v & 255] ^ (v >> 8) ^ substitutes[v >> 24];
	b[i] = v;
}
__global__ void weighted(float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 64; k++)
		sum += weights[(i * 7 + k) & 1023];
	b[i] = sum;
}
__global__ void heat(const float *kind, const float *t, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const material &m = materials[(int)(kind[i] * 1024) & 15];
	out[i] = t[i] + m.conductivity / (m.density * m.capacity) - m.emissivity * t[i] * t[i];
}
__global__ void lattice(const float *f, float *g, float relaxation)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
		return;
	float density = 0;
	for (int k = 0; k < 9; k++)
		density += f[(k * height + y - shift_y[k]) * width + x - shift_x[k]];
	for (int k = 0; k < 9; k++) {
		float old = f[(k * height + y - shift_y[k]) * width + x - shift_x[k]];
		g[(k * height + y) * width + x] = old + relaxation * (share[k] * density - old);
	}
}
__global__ void neighbours(const float *a, float *b, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < count; k++)
		sum += a[i + near[k]];
	b[i] = sum;
}
__global__ void brighten(const float *a, float *b)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < width && y < height)
		b[y * width + x] = 1.5f * a[y * width + x];
}
__global__ void filter(const float *a, float *b)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x + 8, y = blockIdx.y * blockDim.y + threadIdx.y + 8;
	float sum = 0;
	for (int v = -radius; v <= radius; v++)
		for (int u = -radius; u <= radius; u++)
			sum += mask[(v + radius) * (2 * radius + 1) + u + radius] * a[(y + v) * width + x + u];
	b[y * width + x] = sum;
}
__global__ void polynomial(const float *a, float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = a[i], sum = weights[0];
#pragma unroll
	for (int k = 1; k < 16; k++)
		sum = sum * x + weights[k];
	b[i] = sum;
}
__global__ void bin_of(const float *a, int *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, low = 0;
	float x = a[i];
	for (int half = 32; half > 0; half /= 2)
		low += x >= edges[low + half] ? half : 0;
	b[i] = low;
}
__global__ void integrate(float4 *place, float4 *speed)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= how.count)
		return;
	float4 p = place[i], v = speed[i];
	v.x = (v.x + how.matrix[0][0] * p.x + how.matrix[0][1] * p.y + how.matrix[0][2] * p.z) * how.damping;
	v.y = (v.y + how.matrix[1][0] * p.x + how.matrix[1][1] * p.y + how.matrix[1][2] * p.z) * how.damping;
	v.z = (v.z + how.matrix[2][0] * p.x + how.matrix[2][1] * p.y + how.matrix[2][2] * p.z) * how.damping;
	p.x += v.x * how.step;
	p.y += v.y * how.step;
	p.z += v.z * how.step;
	if (p.x > how.size)
		v.x = -v.x;
	place[i] = p;
	speed[i] = v;
}
__global__ void field(const float *a, float *b)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= how.width - 1 || y >= how.height - 1)
		return;
	int i = y * how.width + x;
	b[i] = a[i] + how.step * (a[i + 1] + a[i + how.width] - 2 * a[i]);
}
__global__ void pieces(const float *a, float *b)
{
	int i = starts[blockIdx.y] + blockIdx.x * blockDim.x + threadIdx.x;
	b[i] = 2 * a[i];
}
__global__ void splines(const double *a, double *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double x = a[i], sum = 0;
	for (int k = 0; k < 8; k++)
		sum = sum * x + knots[(threadIdx.x + 3 * k) & 127];
	b[i] = sum;
}
__global__ void palette(const float *a, float4 *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	b[i] = colours[(int)(a[i] * 4096) & 63];
}

int main(int argc, char **argv)
{
	float *p = array_of(0, 1 << 29), *q = array_of(1, 1 << 29), *r = array_of(2, 1 << 29);
	int size = argc > 1 ? atoi(argv[1]) : 2048, reach = size / 512 - 1, offsets[32], begins[64];
	setting all = {size * size, size, size, 0.01f, 1.5f, 0.99f, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
	unsigned bytes[256];
	float numbers[1024];
	for (int k = 0; k < 32; k++)
		offsets[k] = 9 * size + (k / 8 - 2) * size + k % 8 - 4;
	for (int k = 0; k < 64; k++)
		begins[k] = k * size * (size / 64);
	for (int k = 0; k < 256; k++)
		bytes[k] = k * 2654435761u;
	for (int k = 0; k < 1024; k++)
		numbers[k] = k / 1024.f;
	cudaMemcpyToSymbol(substitutes, bytes, sizeof bytes);
	cudaMemcpyToSymbol(weights, numbers, sizeof numbers);
	cudaMemcpyToSymbol(materials, numbers + 1, sizeof(material) * 16);
	cudaMemcpyToSymbol(near, offsets, sizeof offsets);
	cudaMemcpyToSymbol(width, &size, sizeof size);
	cudaMemcpyToSymbol(height, &size, sizeof size);
	cudaMemcpyToSymbol(radius, &reach, sizeof reach);
	cudaMemcpyToSymbol(mask, numbers, sizeof(float) * 225);
	cudaMemcpyToSymbol(edges, numbers, sizeof(float) * 64);
	cudaMemcpyToSymbol(how, &all, sizeof all);
	cudaMemcpyToSymbol(starts, begins, sizeof begins);
	cudaMemcpyToSymbol(knots, numbers, sizeof(double) * 128);
	cudaMemcpyToSymbol(colours, numbers, sizeof(float4) * 64);
	measure_start();
	MEASURE("substitute", (substitute<<<16384, 256>>>((const unsigned *)p, (unsigned *)q)))
	MEASURE("weighted", (weighted<<<16384, 256>>>(q)))
	MEASURE("heat", (heat<<<16384, 256>>>(p, q, r)))
	MEASURE("lattice", (lattice<<<dim3(64, 256), dim3(32, 8)>>>(p, q, 0.6f)))
	MEASURE("neighbours", (neighbours<<<16384, 256>>>(p, q, 32)))
	MEASURE("brighten", (brighten<<<dim3(128, 128), dim3(16, 16)>>>(p, q)))
	MEASURE("filter", (filter<<<dim3(64, 256), dim3(32, 8)>>>(p, q)))
	MEASURE("polynomial", (polynomial<<<65536, 256>>>(p, q)))
	MEASURE("bin_of", (bin_of<<<16384, 256>>>(p, (int *)q)))
	MEASURE("integrate", (integrate<<<16384, 256>>>((float4 *)p, (float4 *)q)))
	MEASURE("field", (field<<<dim3(128, 128), dim3(16, 16)>>>(p, q)))
	MEASURE("pieces", (pieces<<<dim3(256, 64), 256>>>(p, q)))
	MEASURE("splines", (splines<<<16384, 256>>>((const double *)p, (double *)q)))
	MEASURE("palette", (palette<<<16384, 256>>>(p, (float4 *)q)))
	return measure_stop();
}
