/*
 * Kernels of common kinds that kernels.cu and further.cu lack, written as they were: at one sitting, and measured before anything was predicted of them. Arrays in local memory, double-precision functions, divisions of integers, constants, hashes, bits, few or
 * large blocks, loops over tables and iterations inside a kernel. Prints CSV as kernels.cu does.
 */
#include "measure.cuh"

__constant__ float weights[1024];

__global__ void local_sort(const float *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v[16];
	for (int k = 0; k < 16; k++)
		v[k] = a[k * n + i];
#pragma unroll 1
	for (int k = 1; k < 16; k++) {
		float x = v[k];
		int j = k;
		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
	for (int k = 0; k < 16; k++)
		b[k * n + i] = v[k];
}
__global__ void local_table(const int *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float bins[32];
#pragma unroll 1
	for (int k = 0; k < 32; k++)
		bins[k] = 0;
#pragma unroll 1
	for (int k = 0; k < 64; k++)
		bins[(i * 7 + k * 5) & 31] += k;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < 32; k++)
		sum += bins[k] * k;
	b[i] = sum + a[i];
}
__global__ void double_functions(const double *a, double *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double x = a[i];
	b[i] = exp(-x) * sin(x) + log(x) / sqrt(x);
}
__global__ void double_pow(const double *a, double *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	b[i] = pow(a[i], 1.7);
}
__global__ void divisions(const unsigned *a, unsigned *b, unsigned m)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i], sum = 0;
	for (int k = 1; k <= 16; k++) {
		sum += x / (m + k);
		x = x % (m + 3 * k) + 77 * k;
	}
	b[i] = sum;
}
__global__ void fir_constant(const float *a, float *b, int taps)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < taps; k++)
		sum += weights[k] * a[i + k];
	b[i] = sum;
}
__global__ void fir_table(const float *a, const float *w, float *b, int n, int taps)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float sum = 0;
		for (int k = 0; k < taps; k++)
			sum += w[k] * a[i + k];
		b[i] = sum;
	}
}
__global__ void hash64(const unsigned long long *a, unsigned long long *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long x = a[i];
	for (int k = 0; k < 8; k++) {
		x ^= x >> 33;
		x *= 0xff51afd7ed558ccdull;
		x ^= x >> 29;
		x = x * 0xc4ceb9fe1a85ec53ull + k;
	}
	b[i] = x;
}
__global__ void bits(const unsigned *a, unsigned *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned x = a[i], sum = 0;
	for (int k = 0; k < 16; k++) {
		sum += __popc(x) + __clz(x | 1) * 3 + __ffs(x | 256);
		x = __brev(x) + k;
	}
	b[i] = sum;
}
__global__ void clusters(const float *points, const float *centres, int *nearest, int n, int count)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float p[8], least = 1e30f;
		int best = 0;
		for (int d = 0; d < 8; d++)
			p[d] = points[d * n + i];
		for (int c = 0; c < count; c++) {
			float sum = 0;
			for (int d = 0; d < 8; d++) {
				float x = p[d] - centres[c * 8 + d];
				sum += x * x;
			}
			if (sum < least) {
				least = sum;
				best = c;
			}
		}
		nearest[i] = best;
	}
}
__global__ void jacobi_rows(float *a, float *b, int n, int times)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int t = 0; t < times; t++) {
		for (int k = 1; k < n - 1; k++)
			b[k * gridDim.x * blockDim.x + i] = (a[(k - 1) * gridDim.x * blockDim.x + i] + a[(k + 1) * gridDim.x * blockDim.x + i]) * 0.5f;
		float *swap = a;
		a = b;
		b = swap;
	}
}
__global__ void few_blocks(const float *a, float *b, int n)
{
	float sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += a[i] * a[i];
	b[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(1024) large_blocks(const float *a, float *b, int n)
{
	__shared__ float part[1024];
	for (int first = blockIdx.x * 1024; first < n; first += gridDim.x * 1024) {
		part[threadIdx.x] = a[first + threadIdx.x];
		__syncthreads();
		for (int s = 1; s < 1024; s *= 2) {
			float x = threadIdx.x >= s ? part[threadIdx.x - s] : 0;
			__syncthreads();
			part[threadIdx.x] += x;
			__syncthreads();
		}
		b[first + threadIdx.x] = part[threadIdx.x];
		__syncthreads();
	}
}
__global__ void lookup(const float *table, float *b, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		b[i] = table[(i * 37) & 255] + table[256 + ((i * 11) & 255)];
}
__global__ void small_inverse(const float *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float m[3][3];
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			m[r][c] = a[(r * 3 + c) * n + i];
	float d = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
	          m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			b[(r * 3 + c) * n + i] = (m[(c + 1) % 3][(r + 1) % 3] * m[(c + 2) % 3][(r + 2) % 3] -
			                          m[(c + 1) % 3][(r + 2) % 3] * m[(c + 2) % 3][(r + 1) % 3]) / d;
}
__global__ void oscillators(float *x, float *v, int steps, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float p = x[i], q = v[i];
	for (int s = 0; s < steps; s++) {
		q -= dt * sinf(p);
		p += dt * q;
	}
	x[i] = p;
	v[i] = q;
}
__global__ void rank_sort(const float *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, rank = 0;
	float x = a[i];
	for (int k = 0; k < n; k++)
		rank += a[k] < x || (a[k] == x && k < i);
	b[rank % n] = x;
}
__global__ void dense_layer(const float *x, const float *w, float *y, int in, int out)
{
	int o = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
	float sum = 0;
	for (int k = 0; k < in; k++)
		sum += x[row * in + k] * w[k * out + o];
	y[row * out + o] = fmaxf(sum, 0);
}
__global__ void warp_rows(const float *a, const float *x, float *y, int n, int rows)
{
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	for (int r = warp; r < rows; r += gridDim.x * blockDim.x / 32) {
		float sum = 0;
		for (int k = lane; k < n; k += 32)
			sum += a[(size_t)r * n + k] * x[k];
		for (int o = 16; o > 0; o /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, o);
		if (lane == 0)
			y[r] = sum;
	}
}

int main()
{
	float *p = array_of(0, 1 << 29), *q = array_of(1, 1 << 29), *r = array_of(2, 1 << 29), *s = array_of(3, 1 << 27),
	      *t = array_of(4, 1 << 27);
	measure_start();
	MEASURE("local_sort", (local_sort<<<4096, 256>>>(p, q, 1048576)))
	MEASURE("local_table", (local_table<<<4096, 256>>>((const int *)p, q, 1048576)))
	MEASURE("double_functions", (double_functions<<<16384, 256>>>((const double *)p, (double *)q)))
	MEASURE("double_pow", (double_pow<<<16384, 256>>>((const double *)p, (double *)q)))
	MEASURE("divisions", (divisions<<<16384, 256>>>((const unsigned *)p, (unsigned *)q, 1000)))
	MEASURE("fir_constant", (fir_constant<<<16384, 256>>>(p, q, 256)))
	MEASURE("fir_table", (fir_table<<<1056, 256>>>(p, s, q, 4194304, 256)))
	MEASURE("hash64", (hash64<<<32768, 256>>>((const unsigned long long *)p, (unsigned long long *)q)))
	MEASURE("bits", (bits<<<32768, 256>>>((const unsigned *)p, (unsigned *)q)))
	MEASURE("clusters", (clusters<<<528, 256>>>(p, s, (int *)q, 2097152, 128)))
	MEASURE("jacobi_rows", (jacobi_rows<<<264, 256>>>(p, q, 16, 64)))
	MEASURE("few_blocks", (few_blocks<<<16, 512>>>(p, q, 16777216)))
	MEASURE("large_blocks", (large_blocks<<<264, 1024>>>(p, q, 16777216)))
	MEASURE("lookup", (lookup<<<1056, 256>>>(s, q, 33554432)))
	MEASURE("small_inverse", (small_inverse<<<16384, 256>>>(p, q, 4194304)))
	MEASURE("oscillators", (oscillators<<<4096, 256>>>(p, q, 200, 0.01f)))
	MEASURE("rank_sort", (rank_sort<<<256, 256>>>(p, q, 65536)))
	MEASURE("dense_layer", (dense_layer<<<dim3(8, 1024), 128>>>(p, q, r, 1024, 1024)))
	MEASURE("warp_rows", (warp_rows<<<528, 256>>>(p, s, q, 2048, 16384)))
	return measure_stop();
}
