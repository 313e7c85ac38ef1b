/*
 * More kernels of common kinds, written as kernels.cu was: at one sitting, and measured before anything was predicted of them. Linear algebra, signals, images, particles, integers.
 * Prints CSV as kernels.cu does.
 */
#include "measure.cuh"

#include <cuda_fp16.h>

__global__ void mm_register(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[16][64], bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 64, column = blockIdx.x * 64, t = ty * 16 + tx;
	float sum[4][4] = {};
	for (int k = 0; k < n; k += 16) {
		for (int l = 0; l < 4; l++) {
			int e = t + l * 256;
			as[e % 16][e / 16] = a[(row + e / 16) * n + k + e % 16];
			bs[e / 64][e % 64] = b[(k + e / 64) * n + column + e % 64];
		}
		__syncthreads();
		for (int kk = 0; kk < 16; kk++) {
			float x[4], y[4];
			for (int i = 0; i < 4; i++) {
				x[i] = as[kk][ty * 4 + i];
				y[i] = bs[kk][tx * 4 + i];
			}
			for (int i = 0; i < 4; i++)
				for (int j = 0; j < 4; j++)
					sum[i][j] += x[i] * y[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			c[(row + ty * 4 + i) * n + column + tx * 4 + j] = sum[i][j];
}
__global__ void mm_rows(const float *a, const float *b, float *c, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[i * n + k] * b[j * n + k];
	c[i * n + j] = sum;
}
__global__ void mm_store(const float *a, const float *b, float *c, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	c[i * n + j] = 0;
	for (int k = 0; k < n; k++)
		c[i * n + j] += a[i * n + k] * b[k * n + j];
}
__global__ void outer_update(float *a, const float *l, const float *u, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	a[i * n + j] -= l[i] * u[j];
}
__global__ void scores(const float4 *query, const float4 *key, float *score, int keys)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x, h = blockIdx.y;
	float sum = 0;
	for (int d = 0; d < 16; d++) {
		float4 q = query[h * 16 + d], v = key[(h * keys + k) * 16 + d];
		sum += q.x * v.x + q.y * v.y + q.z * v.z + q.w * v.w;
	}
	score[h * keys + k] = sum * 0.125f;
}
__constant__ float weight[17];
__global__ void row_filter(const float *a, float *b, int n)
{
	__shared__ float t[8][144];
	int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	const float *row = a + y * n;
	t[threadIdx.y][threadIdx.x + 8] = row[x];
	if (threadIdx.x < 8)
		t[threadIdx.y][threadIdx.x] = x >= 8 ? row[x - 8] : 0;
	if (threadIdx.x >= 120)
		t[threadIdx.y][threadIdx.x + 16] = x + 8 < n ? row[x + 8] : 0;
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 17; k++)
		sum += weight[k] * t[threadIdx.y][threadIdx.x + k];
	b[y * n + x] = sum;
}
__global__ void column_filter(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (y < 8 || y >= n - 8)
		return;
	float sum = 0;
	for (int k = -8; k <= 8; k++)
		sum += 0.06f * a[(y + k) * n + x];
	b[y * n + x] = sum;
}
__global__ void permute(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
	b[(x * n + z) * n + y] = a[(z * n + y) * n + x];
}
__global__ void unfold(const float *a, float *b, int n, int channels)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % n, y = i / n % n, c = i / n / n;
	if (c >= channels)
		return;
	for (int dy = 0; dy < 3; dy++)
		for (int dx = 0; dx < 3; dx++) {
			int xx = x + dx - 1, yy = y + dy - 1;
			b[((c * 9 + dy * 3 + dx) * n + y) * n + x] =
				xx >= 0 && yy >= 0 && xx < n && yy < n ? a[(c * n + yy) * n + xx] : 0;
		}
}
__global__ void pool(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	const float *at = a + 2 * y * n + 2 * x;
	b[y * (n / 2) + x] = fmaxf(fmaxf(at[0], at[1]), fmaxf(at[n], at[n + 1]));
}
__global__ void batch_scale(const float *a, const float *mean, const float *scale, float *b, int pixels, int channels)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, c = i / pixels % channels;
	b[i] = (a[i] - mean[c]) * scale[c];
}
__global__ void embed(const float4 *table, float4 *out, unsigned rows)
{
	unsigned word = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	unsigned row = word * 2654435761u % rows;
	out[word * 32 + lane] = table[row * 32 + lane];
}
__global__ void ell(const float *value, const float *x, float *y, int n, int width)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < width; k++)
		sum += value[k * n + i] * x[(i + k * 1021) & (n - 1)];
	y[i] = sum;
}
__global__ void sparse_rows(const float *value, const float *x, float *y, unsigned n)
{
	unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (unsigned k = lane; k < 64; k += 32)
		sum += value[row * 64 + k] * x[(row * 64 + k) * 2654435761u % n];
	for (int o = 16; o > 0; o /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, o);
	if (lane == 0)
		y[row] = sum;
}
__global__ void pack(const float *a, float *b, unsigned *count, float least)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool keep = a[i] >= least;
	unsigned mask = __ballot_sync(0xffffffff, keep), lane = threadIdx.x % 32, base = 0;
	if (lane == 0)
		base = atomicAdd(count, __popc(mask));
	base = __shfl_sync(0xffffffff, base, 0);
	if (keep)
		b[(base + __popc(mask & ((1u << lane) - 1))) & 0x1ffffff] = a[i];
}
__global__ void block_max(const float *a, float *best, int n)
{
	__shared__ float t[256];
	float m = 0;
	for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
		m = fmaxf(m, a[i]);
	t[threadIdx.x] = m;
	__syncthreads();
	for (int s = 128; s > 0; s /= 2) {
		if (threadIdx.x < s)
			t[threadIdx.x] = fmaxf(t[threadIdx.x], t[threadIdx.x + s]);
		__syncthreads();
	}
	if (threadIdx.x == 0)
		best[blockIdx.x] = t[0];
}
__global__ void fourier_shared(float2 *a)
{
	__shared__ float2 t[1024];
	float2 *own = a + blockIdx.x * 1024;
	for (int i = threadIdx.x; i < 1024; i += 256)
		t[i] = own[i];
	for (int half = 1; half < 1024; half *= 2) {
		__syncthreads();
		for (int k = threadIdx.x; k < 512; k += 256) {
			int low = k / half * 2 * half + k % half;
			float2 x = t[low], y = t[low + half], w = make_float2(0.8f, 0.6f);
			float2 z = make_float2(y.x * w.x - y.y * w.y, y.x * w.y + y.y * w.x);
			t[low] = make_float2(x.x + z.x, x.y + z.y);
			t[low + half] = make_float2(x.x - z.x, x.y - z.y);
		}
	}
	__syncthreads();
	for (int i = threadIdx.x; i < 1024; i += 256)
		own[i] = t[i];
}
__global__ void resize(const float *a, float *b, int n, int m, float step)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= m || y >= m)
		return;
	float fx = x * step, fy = y * step;
	int ix = (int)fx, iy = (int)fy;
	float dx = fx - ix, dy = fy - iy;
	const float *at = a + iy * n + ix;
	b[y * m + x] = (1 - dy) * ((1 - dx) * at[0] + dx * at[1]) + dy * ((1 - dx) * at[n] + dx * at[n + 1]);
}
__global__ void turn(const float *a, float *b, int n, float cosine, float sine)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float cx = x - n / 2, cy = y - n / 2;
	int sx = (int)(cosine * cx + sine * cy) + n / 2, sy = (int)(cosine * cy - sine * cx) + n / 2;
	b[y * n + x] = sx >= 0 && sy >= 0 && sx < n && sy < n ? a[sy * n + sx] : 0;
}
__global__ void sobel(const unsigned char *a, unsigned char *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
		return;
	const unsigned char *at = a + y * n + x;
	int gx = at[1 - n] + 2 * at[1] + at[1 + n] - at[-1 - n] - 2 * at[-1] - at[n - 1];
	int gy = at[n - 1] + 2 * at[n] + at[n + 1] - at[-n - 1] - 2 * at[-n] - at[1 - n];
	b[y * n + x] = (unsigned char)min(255, abs(gx) + abs(gy));
}
__global__ void assign(const float4 *point, const float4 *centre, int *nearest)
{
	__shared__ float4 c[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	if (threadIdx.x < 32)
		c[threadIdx.x] = centre[threadIdx.x];
	__syncthreads();
	float4 p = point[i];
	float least = 1e30f;
	for (int k = 0; k < 32; k++) {
		float x = p.x - c[k].x, y = p.y - c[k].y, z = p.z - c[k].z, w = p.w - c[k].w, d = x * x + y * y + z * z + w * w;
		if (d < least) {
			least = d;
			best = k;
		}
	}
	nearest[i] = best;
}
__global__ void streaming(const float *f, float *g, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
		return;
	const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
	float v[9], rho = 0;
	for (int k = 0; k < 9; k++) {
		v[k] = f[k * n * n + (y - dy[k]) * n + x - dx[k]];
		rho += v[k];
	}
	for (int k = 0; k < 9; k++)
		g[k * n * n + y * n + x] = v[k] + 0.6f * (rho / 9 - v[k]);
}
__global__ void half_axpy(const __half2 *x, __half2 *y, float a, int n)
{
	__half2 factor = __float2half2_rn(a);
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		y[i] = __hfma2(factor, x[i], y[i]);
}
__global__ void byte_dot(const char4 *a, const char4 *b, int *sums, int n)
{
	int sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		char4 x = a[i], y = b[i];
		sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
	}
	for (int o = 16; o > 0; o /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, o);
	if (threadIdx.x % 32 == 0)
		atomicAdd(sums, sum);
}
__global__ void horner(const double *x, double *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double v = x[i], p = 1;
#pragma unroll
	for (int k = 0; k < 48; k++)
		p = p * v * 0.25 + 0.5;
	y[i] = p;
}
__global__ void row_norms(const float4 *a, float *norm)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 16; k++) {
		float4 v = a[i * 16 + k];
		sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
	}
	norm[i] = sqrtf(sum);
}
__global__ void lower(const float *a, const float *b, float *c, int n)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	if (j <= i)
		c[i * n + j] = a[i * n + j] + b[i * n + j];
}
__global__ void banded(const float *m, const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (i < 15 || i >= n - 16)
		return;
	for (int k = 0; k < 31; k++)
		sum += m[i * 32 + k] * x[i + k - 15];
	y[i] = sum;
}
__global__ void thomas_side(const float *a, const float *b, float *x, int systems, int n)
{
	int s = blockIdx.x * blockDim.x + threadIdx.x;
	float last = 0;
	for (int i = 0; i < n; i++)
		x[i * systems + s] = last = (b[i * systems + s] - a[i * systems + s] * last) * 0.3f;
	for (int i = n - 2; i >= 0; i--)
		x[i * systems + s] = last = x[i * systems + s] - 0.3f * last;
}
__global__ void thomas_own(const float *a, const float *b, float *x, int n)
{
	int s = blockIdx.x * blockDim.x + threadIdx.x;
	float last = 0;
	for (int i = 0; i < n; i++)
		x[s * n + i] = last = (b[s * n + i] - a[s * n + i] * last) * 0.3f;
	for (int i = n - 2; i >= 0; i--)
		x[s * n + i] = last = x[s * n + i] - 0.3f * last;
}
__global__ void column_scan(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int y = 0; y < n; y++)
		b[y * n + x] = sum += a[y * n + x];
}
__global__ void turn_tile(const float *a, float *b, int n)
{
	__shared__ float t[32][32];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		t[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
	__syncthreads();
	int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		b[(ty + k) * n + tx] = t[threadIdx.x][threadIdx.y + k];
}
__global__ void hop(const float *a, float *b, unsigned mask, int hops)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i * 7919u;
	float sum = 0;
	for (int k = 0; k < hops; k++) {
		at = at * 1664525u + 1013904223u;
		sum += a[at & mask];
	}
	b[i] = sum;
}
__global__ void bin_sums(const float *a, float *sums, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&sums[(i * 31) & 8191], a[i]);
}
__global__ void shared_bins(const unsigned char *a, unsigned *count, int n)
{
	__shared__ unsigned c[256];
	c[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&c[(a[i] + i * 37) & 255], 1u);
	__syncthreads();
	atomicAdd(&count[threadIdx.x], c[threadIdx.x]);
}
__global__ void triples(const float3 *a, float3 *b, float s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float3 v = a[i];
	float r = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z) * s;
	b[i] = make_float3(v.x * r, v.y * r, v.z * r);
}
__global__ void mandelbrot(int *steps, int n, int most)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
	float cx = -2 + 3.f * x / n, cy = -1.5f + 3.f * y / n, zx = 0, zy = 0;
	for (; k < most && zx * zx + zy * zy < 4; k++) {
		float t = zx * zx - zy * zy + cx;
		zy = 2 * zx * zy + cy;
		zx = t;
	}
	steps[y * n + x] = k;
}
__global__ void lattice_energy(const float *spin, float *out, int n, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % n, y = i / n;
	float e = 0;
	for (int k = 1; k <= rounds; k++)
		e += spin[i] * (spin[y * n + ((x + k) & (n - 1))] + spin[((y + k) & (n - 1)) * n + x]);
	out[i] = e;
}

int main()
{
	float *p = array_of(0, 1 << 29), *q = array_of(1, 1 << 29), *r = array_of(2, 1 << 29), *s = array_of(3, 1 << 27),
	      *t = array_of(4, 1 << 27);
	measure_start();
	MEASURE("mm_register", (mm_register<<<dim3(32, 32), dim3(16, 16)>>>(p, q, r, 2048)))
	MEASURE("mm_rows", (mm_rows<<<dim3(32, 128), dim3(32, 8)>>>(p, q, r, 1024)))
	MEASURE("mm_store", (mm_store<<<dim3(128, 512), dim3(32, 8)>>>(p, q, r, 4096)))
	MEASURE("outer_update", (outer_update<<<dim3(64, 512), dim3(64, 8)>>>(p, s, t, 4096)))
	MEASURE("scores", (scores<<<dim3(32, 32), 128>>>((const float4 *)p, (const float4 *)q, r, 4096)))
	MEASURE("row_filter", (row_filter<<<dim3(32, 512), dim3(128, 8)>>>(p, q, 4096)))
	MEASURE("column_filter", (column_filter<<<dim3(128, 512), dim3(32, 8)>>>(p, q, 4096)))
	MEASURE("permute", (permute<<<dim3(2, 256, 256), 128>>>(p, q, 256)))
	MEASURE("unfold", (unfold<<<4096, 256>>>(p, q, 256, 16)))
	MEASURE("pool", (pool<<<dim3(64, 256), dim3(32, 8)>>>(p, q, 4096)))
	MEASURE("batch_scale", (batch_scale<<<131072, 256>>>(p, s, t, q, 4096, 64)))
	MEASURE("embed", (embed<<<8192, 256>>>((const float4 *)p, (float4 *)q, 200000)))
	MEASURE("ell", (ell<<<4096, 256>>>(p, s, q, 1048576, 32)))
	MEASURE("sparse_rows", (sparse_rows<<<16384, 256>>>(p, s, q, 1000000)))
	MEASURE("pack", (pack<<<65536, 256>>>(p, q, (unsigned *)r, 1.5f)))
	MEASURE("block_max", (block_max<<<1056, 256>>>(p, q, 67108864)))
	MEASURE("fourier_shared", (fourier_shared<<<16384, 256>>>((float2 *)p)))
	MEASURE("resize", (resize<<<dim3(192, 768), dim3(32, 8)>>>(p, q, 4096, 6100, 0.67f)))
	MEASURE("turn", (turn<<<dim3(128, 512), dim3(32, 8)>>>(p, q, 4096, 0.866f, 0.5f)))
	MEASURE("sobel", (sobel<<<dim3(256, 1024), dim3(32, 8)>>>((const unsigned char *)p, (unsigned char *)q, 8192)))
	MEASURE("assign", (assign<<<32768, 256>>>((const float4 *)p, (const float4 *)s, (int *)q)))
	MEASURE("streaming", (streaming<<<dim3(16, 2048), 128>>>(p, q, 2048)))
	MEASURE("half_axpy", (half_axpy<<<1056, 256>>>((const __half2 *)p, (__half2 *)q, 0.5f, 33554432)))
	MEASURE("byte_dot", (byte_dot<<<1056, 256>>>((const char4 *)p, (const char4 *)q, (int *)r, 33554432)))
	MEASURE("horner", (horner<<<65536, 256>>>((const double *)p, (double *)q)))
	MEASURE("row_norms", (row_norms<<<8192, 128>>>((const float4 *)p, q)))
	MEASURE("lower", (lower<<<dim3(128, 512), dim3(32, 8)>>>(p, q, r, 4096)))
	MEASURE("banded", (banded<<<8192, 256>>>(p, s, q, 2097152)))
	MEASURE("thomas_side", (thomas_side<<<512, 128>>>(p, q, r, 65536, 256)))
	MEASURE("thomas_own", (thomas_own<<<512, 128>>>(p, q, r, 256)))
	MEASURE("column_scan", (column_scan<<<64, 64>>>(p, q, 4096)))
	MEASURE("turn_tile", (turn_tile<<<dim3(128, 128), dim3(32, 8)>>>(p, q, 4096)))
	MEASURE("hop", (hop<<<4096, 256>>>(p, q, 0x7ffffff, 16)))
	MEASURE("bin_sums", (bin_sums<<<1056, 256>>>(p, q, 16777216)))
	MEASURE("shared_bins", (shared_bins<<<1056, 256>>>((const unsigned char *)p, (unsigned *)q, 67108864)))
	MEASURE("triples", (triples<<<32768, 256>>>((const float3 *)p, (float3 *)q, 0.5f)))
	MEASURE("mandelbrot", (mandelbrot<<<dim3(64, 256), dim3(32, 8)>>>((int *)p, 2048, 200)))
	MEASURE("lattice_energy", (lattice_energy<<<4096, 256>>>(p, q, 1024, 16)))
	return measure_stop();
}
