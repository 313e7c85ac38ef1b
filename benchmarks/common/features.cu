/*
 * Kernels of common kinds that use more of the language than the other files: variables of the device, pointers to pointers, half precision, votes and matches in a warp, cooperative groups, bit fields, unions, switches, asynchronous
 * copies, several elements a thread, linked structures, tiles in three dimensions. Written at one sitting, and measured before anything was predicted of them. Prints CSV as kernels.cu does.
 */
#include "measure.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

struct node {
	int left, right;
	float key, value;
};
union word {
	float real;
	unsigned bits;
	struct {
		unsigned short low, high;
	} halves;
};
struct packed {
	unsigned kind : 4, level : 12, place : 16;
};

__device__ float table[4096];
__device__ int total;
__device__ float *rows[1024];

__global__ void setup(float *memory)
{
	int i = threadIdx.x;
	rows[i] = memory + (size_t)i * 16384;
	for (int k = i; k < 4096; k += 1024)
		table[k] = k * 0.25f;
}
__global__ void nodes_make(node *nodes, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	nodes[i] = {2 * i + 1 < n ? 2 * i + 1 : -1, 2 * i + 2 < n ? 2 * i + 2 : -1, (i * 2654435761u >> 8) / 16777216.f, 1.f};
}
__global__ void variable_table(const float *a, float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	b[i] = a[i] * table[i & 4095] + table[(i + 7) & 4095];
}
__global__ void row_pointers(float *b)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	b[y * 16384 + x] = 2 * rows[y][x];
}
__global__ void half_scale_add(const __half2 *x, __half2 *y, float a, int n)
{
	__half2 factor = __float2half2_rn(a);
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = __hfma2(factor, x[i], y[i]);
}
__global__ void compact(const float *a, float *b, int *count, float least)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	float x = a[i];
	unsigned kept = __ballot_sync(0xffffffff, x > least);
	int place = 0;
	if (lane == 0)
		place = atomicAdd(count, __popc(kept));
	place = __shfl_sync(0xffffffff, place, 0);
	if (x > least)
		b[(place + __popc(kept & ((1u << lane) - 1))) & 0x3ffffff] = x;
}
__global__ void group_sums(const float *a, float *b)
{
	auto block = cg::this_thread_block();
	auto tile = cg::tiled_partition<16>(block);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = cg::reduce(tile, a[i], cg::plus<float>());
	if (tile.thread_rank() == 0)
		b[i / 16] = sum;
}
__global__ void unpack(const packed *a, int *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	packed p = a[i];
	b[i] = p.kind == 3 ? p.level * 2 : p.place + p.level;
}
__global__ void rounded(const word *a, unsigned short *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	word w = a[i];
	w.bits += 0x7fff + (w.bits >> 16 & 1);
	b[i] = w.halves.high;
}
__global__ void by_kind(const float *a, float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = a[i];
	switch (i / 32 % 4) {
	case 0:
		x = sqrtf(x);
		break;
	case 1:
		x = x * x * x + 1;
		break;
	case 2:
		x = __expf(x);
		break;
	default:
		x = 1 / x;
	}
	b[i] = x;
}
__global__ void staged(const float4 *a, float4 *b, int tiles)
{
	__shared__ float4 buffer[2][256];
	int t = threadIdx.x;
	const float4 *own = a + (size_t)blockIdx.x * tiles * 256;
	float4 sum = make_float4(0, 0, 0, 0);
	__pipeline_memcpy_async(&buffer[0][t], &own[t], sizeof(float4));
	__pipeline_commit();
	for (int k = 0; k < tiles; k++) {
		if (k + 1 < tiles)
			__pipeline_memcpy_async(&buffer[(k + 1) & 1][t], &own[(k + 1) * 256 + t], sizeof(float4));
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		float4 v = buffer[k & 1][(t + 1) & 255];
		sum.x += v.x;
		sum.y += v.y;
		sum.z += v.z;
		sum.w += v.w;
		__syncthreads();
	}
	b[blockIdx.x * 256 + t] = sum;
}
__global__ void search(const node *nodes, const float *keys, float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
	float key = keys[i] - 1, sum = 0;
	while (at >= 0) {
		node n = nodes[at];
		sum += n.value;
		at = key < n.key ? n.left : n.right;
	}
	b[i] = sum;
}
__global__ void four_each(const float4 *a, float4 *b)
{
	int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
	float4 v[4];
#pragma unroll
	for (int k = 0; k < 4; k++)
		v[k] = a[i + k * 256];
#pragma unroll
	for (int k = 0; k < 4; k++)
		b[i + k * 256] = make_float4(v[k].x + 1, v[k].y + 1, v[k].z + 1, v[k].w + 1);
}
__global__ void tile_3d(const float *a, float *b, int n)
{
	__shared__ float tile[6][6][34];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 4 + threadIdx.z;
	int own = (threadIdx.z * 4 + threadIdx.y) * 32 + threadIdx.x;
	for (int k = own; k < 6 * 6 * 34; k += 512) {
		int u = k % 34, v = k / 34 % 6, w = k / 204;
		int gx = min(max((int)(blockIdx.x * 32) + u - 1, 0), n - 1), gy = min(max((int)(blockIdx.y * 4) + v - 1, 0), n - 1),
		    gz = min(max((int)(blockIdx.z * 4) + w - 1, 0), n - 1);
		tile[w][v][u] = a[((size_t)gz * n + gy) * n + gx];
	}
	__syncthreads();
	int u = threadIdx.x + 1, v = threadIdx.y + 1, w = threadIdx.z + 1;
	b[((size_t)z * n + y) * n + x] = tile[w][v][u - 1] + tile[w][v][u + 1] + tile[w][v - 1][u] + tile[w][v + 1][u] +
	                                 tile[w - 1][v][u] + tile[w + 1][v][u] - 6 * tile[w][v][u];
}
__global__ void maxima(const float *a, float *b, int n)
{
	__shared__ float most[32];
	float own = -1e30f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		own = fmaxf(own, a[i]);
	for (int o = 16; o > 0; o /= 2)
		own = fmaxf(own, __shfl_xor_sync(0xffffffff, own, o));
	if (threadIdx.x % 32 == 0)
		most[threadIdx.x / 32] = own;
	__syncthreads();
	if (threadIdx.x < 32) {
		own = threadIdx.x < blockDim.x / 32 ? most[threadIdx.x] : -1e30f;
		for (int o = 16; o > 0; o /= 2)
			own = fmaxf(own, __shfl_xor_sync(0xffffffff, own, o));
		if (threadIdx.x == 0)
			b[blockIdx.x] = own;
	}
}
__global__ void counted(const float *a, float least)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int some = __syncthreads_count(a[i] > least);
	if (threadIdx.x == 0)
		atomicAdd(&total, some);
}
__global__ void byte_sums(const unsigned *a, unsigned *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned v = a[i];
	b[i] = (v & 255) + (v >> 8 & 255) + (v >> 16 & 255) + (v >> 24);
}
__global__ void complex_multiply(const double2 *a, const double2 *b, double2 *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double2 x = a[i], y = b[i];
	c[i] = make_double2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
__global__ void reverse(const float *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	b[n - 1 - i] = a[i];
}
__global__ void interleave(const float *l, const float *r, float *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	b[2 * i] = l[i];
	b[2 * i + 1] = r[i];
}

int main()
{
	float *p = array_of(0, 1 << 28), *q = array_of(1, 1 << 28), *r = array_of(2, 1 << 28), *s = array_of(3, 1 << 26);
	int *count = (int *)array_of(4, 1 << 20);
	setup<<<1, 1024>>>(r);
	measure_start();
	MEASURE("variable_table", (variable_table<<<65536, 256>>>(p, q)))
	MEASURE("row_pointers", (row_pointers<<<dim3(64, 1024), 256>>>(q)))
	MEASURE("half_scale_add", (half_scale_add<<<2112, 256>>>((const __half2 *)p, (__half2 *)q, 0.5f, 33554432)))
	MEASURE("compact", (compact<<<16384, 256>>>(p, q, count, 1.5f)))
	MEASURE("group_sums", (group_sums<<<65536, 256>>>(p, q)))
	MEASURE("unpack", (unpack<<<65536, 256>>>((const packed *)p, (int *)q)))
	MEASURE("rounded", (rounded<<<65536, 256>>>((const word *)p, (unsigned short *)q)))
	MEASURE("by_kind", (by_kind<<<65536, 256>>>(p, q)))
	MEASURE("staged", (staged<<<1056, 256>>>((const float4 *)p, (float4 *)q, 15)))
	for (int round = 0; round < ROUNDS; round++) {
		measure_begin(round);
		nodes_make<<<4096, 256>>>((node *)s, 1048575);
		measure_begin(1);
		search<<<4096, 256>>>((const node *)s, p, q);
		measure_end(round, "search");
	}
	MEASURE("four_each", (four_each<<<4096, 256>>>((const float4 *)p, (float4 *)q)))
	MEASURE("tile_3d", (tile_3d<<<dim3(8, 64, 64), dim3(32, 4, 4)>>>(p, q, 256)))
	MEASURE("maxima", (maxima<<<528, 512>>>(p, q, 67108864)))
	MEASURE("counted", (counted<<<65536, 256>>>(p, 1.5f)))
	MEASURE("byte_sums", (byte_sums<<<65536, 256>>>((const unsigned *)p, (unsigned *)q)))
	MEASURE("complex_multiply", (complex_multiply<<<16384, 256>>>((const double2 *)p, (const double2 *)q, (double2 *)r)))
	MEASURE("reverse", (reverse<<<65536, 256>>>(p, q, 16777216)))
	MEASURE("interleave", (interleave<<<65536, 256>>>(p, r, q)))
	return measure_stop();
}
