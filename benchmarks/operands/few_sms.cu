/*
 * Kernels of common kinds by few SMs at a time, each with as much work: whether an SM or what all share holds them up. Resident blocks take the places of a launch one after the other, on the SMs below a number.
 * Prints CSV: kernel, SMs, blocks' places, microseconds.
 */
#include <cstdio>
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>
struct record {
	float a, b, c, d[4], e, f, g, h, i, j, k, l, m[3], n, o, p;
};
__device__ unsigned counter;
#define LOOP(work)                                                                                                                 \
	__shared__ unsigned vb_;                                                                                                   \
	unsigned sm;                                                                                                               \
	asm("mov.u32 %0, %%smid;" : "=r"(sm));                                                                                     \
	if ((int)sm >= S)                                                                                                          \
		return;                                                                                                            \
	for (;;) {                                                                                                                 \
		__syncthreads();                                                                                                   \
		if (threadIdx.x == 0 && threadIdx.y == 0)                                                                          \
			vb_ = atomicAdd(&counter, 1);                                                                              \
		__syncthreads();                                                                                                   \
		unsigned vb = vb_;                                                                                                 \
		if ((int)vb >= blocks)                                                                                             \
			return;                                                                                                    \
		work                                                                                                               \
	}
__device__ inline void strided(const record *p, float *out, int i, int n)
{
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 7; r++) {
		int j = i * 7 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[j].a;
		x += 0.75f * p[j].b;
		x += 1.25f * p[j].c;
		x += 0.75f * p[j].d[0];
		x += 1.25f * p[j].d[1];
		x += 0.75f * p[j].e;
		x += 0.75f * p[j].f;
		x += 0.75f * p[j].g;
		x += 0.75f * p[j].h;
		x += 1.25f * p[j].i;
		x += 0.5f * p[j].j;
		x += 0.75f * p[j].k;
		x += 1.25f * p[j].l;
		x += 0.5f * p[j].m[0];
		x += 0.75f * p[j].m[1];
		x += 0.5f * p[j].n;
		x += 0.75f * p[j].o;
		x += 0.5f * p[j].p;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = sum + count;
}
__global__ void __launch_bounds__(384) k_strided(const void *p, const void *, void *out, int blocks, int S)
{
	LOOP(strided((const record *)p, (float *)out, vb * 384 + threadIdx.x, 1 << 30);)
}
__device__ inline void mm(const float4 *a, const float4 *b, float4 *c, int i)
{
	float4 q[4];
	for (int k = 0; k < 4; k++)
		q[k] = b[4 * i + k];
	for (int r = 0; r < 4; r++) {
		float4 p = a[4 * i + r];
		c[4 * i + r] = make_float4(p.x * q[0].x + p.y * q[1].x + p.z * q[2].x + p.w * q[3].x,
		                           p.x * q[0].y + p.y * q[1].y + p.z * q[2].y + p.w * q[3].y,
		                           p.x * q[0].z + p.y * q[1].z + p.z * q[2].z + p.w * q[3].z,
		                           p.x * q[0].w + p.y * q[1].w + p.z * q[2].w + p.w * q[3].w);
	}
}
__global__ void k_mm(const void *a, const void *b, void *c, int blocks, int S)
{
	LOOP(mm((const float4 *)a, (const float4 *)b, (float4 *)c, vb * 256 + threadIdx.x);)
}
__global__ void k_column(const void *a_, const void *, void *b_, int blocks, int S)
{
	const float *a = (const float *)a_;
	float *b = (float *)b_;
	const int n = 4096;
	LOOP(int x = (vb & 127) * 32 + threadIdx.x; int y = 8 + (vb >> 7) * 8 + threadIdx.y; float sum = 0;
	     _Pragma("unroll") for (int k = -8; k <= 8; k++) sum += 0.06f * a[(y + k) * n + x]; b[y * n + x] = sum;)
}
__global__ void k_box(const void *a_, const void *, void *b_, int blocks, int S)
{
	const float *a = (const float *)a_;
	float *b = (float *)b_;
	const int n = 256;
	LOOP(int x = (vb & 7) * 32 + threadIdx.x; int y = (vb >> 3 & 31) * 8 + threadIdx.y; int z = vb >> 8; float sum = 0;
	     if (x >= 1 && y >= 1 && z >= 1 && x < n - 1 && y < n - 1) {
		     _Pragma("unroll") for (int w = -1; w <= 1; w++) _Pragma("unroll") for (int v = -1; v <= 1; v++)
			     _Pragma("unroll") for (int u = -1; u <= 1; u++) sum += a[((z + w) * n + y + v) * n + x + u];
		     b[(z * n + y) * n + x] = sum * (1.f / 27);
	     })
}
__global__ void fill(float4 *p, size_t n)
{
	for (size_t i = blockIdx.x * 1024ull + threadIdx.x; i < n; i += gridDim.x * 1024ull)
		p[i] = make_float4(0, 0, 0, 0);
}
int main()
{
	void *a, *b, *c;
	float4 *junk;
	cudaMalloc(&a, 1u << 30);
	cudaMalloc(&b, 1u << 30);
	cudaMalloc(&c, 1u << 30);
	cudaMalloc(&junk, 256u << 20);
	cudaMemset(a, 0, 1u << 30);
	cudaMemset(b, 0, 1u << 30);
	typedef void (*kern)(const void *, const void *, void *, int, int);
	struct {
		const char *name;
		kern k;
		dim3 block;
		int whole;
	} K[] = {{"strided", k_strided, 384, 1216},
	         {"small_mm", k_mm, 256, 8192},
	         {"column_filter", k_column, dim3(32, 8), 65536},
	         {"box27", k_box, dim3(32, 8), 65536}};
	cudaEvent_t e0, e1;
	cudaEventCreate(&e0);
	cudaEventCreate(&e1);
	printf("kernel,sms,blocks,us\n");
	for (auto &k : K) {
		int per;
		cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, k.k, k.block.x * k.block.y, 0);
		for (int S : {1, 2, 4, 8, 16, 33, 66, 100, 132}) {
			int blocks = (int)((long)k.whole * S / 132);
			std::vector<float> t;
			for (int r = 0; r < 9; r++) {
				unsigned z = 0;
				cudaMemcpyToSymbol(counter, &z, 4);
				fill<<<264, 1024>>>(junk, 16u << 20);
				cudaEventRecord(e0);
				k.k<<<132 * per, k.block>>>(a, b, c, blocks, S);
				cudaEventRecord(e1);
				cudaEventSynchronize(e1);
				float ms;
				cudaEventElapsedTime(&ms, e0, e1);
				t.push_back(ms * 1000);
			}
			std::sort(t.begin(), t.end());
			printf("%s,%d,%d,%.1f\n", k.name, S, blocks, t[4]);
		}
	}
	fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
