/*
 * Kernels of common kinds as CUDA programmers write them: stencils, products, scans, sums by rows and columns, transforms, images. Written at one sitting, without a look at what the model makes of them, and measured before anything was predicted.
 * Prints CSV, microseconds of the median of 5 launches, each after a kernel that overwrites the L2: benchmarks/measured/common-h200.csv. Arrays hold numbers from 1 to 2, of which none is a special case; those of floyd never change.
 */
#include "measure.cuh"

__global__ void stencil7(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
	    z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
		return;
	int i = (z * n + y) * n + x;
	b[i] = 0.4f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n]);
}
__global__ void march(const float *a, float *b, int n, int depth)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
		return;
	int i = y * n + x;
	float below = a[i], here = a[i + n * n];
	for (int z = 1; z < depth - 1; z++) {
		i += n * n;
		float above = a[i + n * n];
		b[i] = 0.4f * here + 0.1f * (above + below + a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
		below = here;
		here = above;
	}
}
__global__ void tile5(const float *a, float *b, int n)
{
	__shared__ float t[18][34];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * n + x;
	t[threadIdx.y + 1][threadIdx.x + 1] = a[i];
	if (threadIdx.x == 0 && x > 0)
		t[threadIdx.y + 1][0] = a[i - 1];
	if (threadIdx.x == 31 && x < n - 1)
		t[threadIdx.y + 1][33] = a[i + 1];
	if (threadIdx.y == 0 && y > 0)
		t[0][threadIdx.x + 1] = a[i - n];
	if (threadIdx.y == 15 && y < n - 1)
		t[17][threadIdx.x + 1] = a[i + n];
	__syncthreads();
	int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
	b[i] = 0.2f * (t[ty][tx] + t[ty][tx - 1] + t[ty][tx + 1] + t[ty - 1][tx] + t[ty + 1][tx]);
}
__global__ void mv_warp(const float *m, const float *v, float *r, int n)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (int k = lane; k < n; k += 32)
		sum += m[(size_t)row * n + k] * v[k];
	for (int o = 16; o > 0; o /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, o);
	if (lane == 0)
		r[row] = sum;
}
__global__ void mv_row(const float *m, const float *v, float *r, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += m[row * n + k] * v[k];
	r[row] = sum;
}
__global__ void mv_column(const float *m, const float *v, float *r, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += m[k * n + column] * v[k];
	r[column] = sum;
}
__global__ void mm_tiled(const float *a, const float *b, float *c, int n)
{
	__shared__ float s[16][16], t[16][16];
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k += 16) {
		s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
		t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
		__syncthreads();
#pragma unroll
		for (int j = 0; j < 16; j++)
			sum += s[threadIdx.y][j] * t[j][threadIdx.x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}
__global__ void mm_naive(const float *a, const float *b, float *c, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}
__global__ void axpy(double2 *y, const double2 *x, double a, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double2 u = x[i], v = y[i];
		v.x += a * u.x;
		v.y += a * u.y;
		y[i] = v;
	}
}
__global__ void bins(const unsigned *keys, unsigned *count, int n)
{
	__shared__ unsigned own[256];
	own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[(keys[i] + i * 2654435761u) >> 24], 1u);
	__syncthreads();
	atomicAdd(&count[threadIdx.x], own[threadIdx.x]);
}
__global__ void scan(const float *a, float *b)
{
	__shared__ float s[2][512];
	int t = threadIdx.x, i = blockIdx.x * 512 + t, w = 0;
	s[0][t] = a[i];
	__syncthreads();
	for (int o = 1; o < 512; o *= 2) {
		s[1 - w][t] = t >= o ? s[w][t] + s[w][t - o] : s[w][t];
		w = 1 - w;
		__syncthreads();
	}
	b[i] = s[w][t];
}
__global__ void bitonic(int *a, int j, int k)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
	if (other > i) {
		int x = a[i], y = a[other];
		bool up = (i & k) == 0;
		a[i] = up == (x < y) ? x : y;
		a[other] = up == (x < y) ? y : x;
	}
}
__constant__ float weights[25];
__global__ void conv(const uchar4 *a, uchar4 *b, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
		return;
	float r = 0, g = 0, l = 0;
#pragma unroll
	for (int v = -2; v <= 2; v++)
#pragma unroll
		for (int u = -2; u <= 2; u++) {
			uchar4 p = a[(y + v) * w + x + u];
			float f = weights[(v + 2) * 5 + u + 2];
			r += f * p.x;
			g += f * p.y;
			l += f * p.z;
		}
	b[y * w + x] = make_uchar4((unsigned char)r, (unsigned char)g, (unsigned char)l, 255);
}
__global__ void nbody(const float4 *p, float4 *f, int n)
{
	__shared__ float4 s[256];
	int i = blockIdx.x * 256 + threadIdx.x;
	float4 own = p[i], sum = make_float4(0, 0, 0, 0);
	for (int k = 0; k < n; k += 256) {
		s[threadIdx.x] = p[k + threadIdx.x];
		__syncthreads();
#pragma unroll 8
		for (int j = 0; j < 256; j++) {
			float x = s[j].x - own.x, y = s[j].y - own.y, z = s[j].z - own.z, d = x * x + y * y + z * z + 0.01f;
			float r = rsqrtf(d);
			r = r * r * r * s[j].w;
			sum.x += x * r;
			sum.y += y * r;
			sum.z += z * r;
		}
		__syncthreads();
	}
	f[i] = sum;
}
__device__ float cnd(float d)
{
	float k = 1.f / (1.f + 0.2316419f * fabsf(d));
	float c = 0.39894228f * expf(-0.5f * d * d) *
	          (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
	return d > 0 ? 1.f - c : c;
}
__global__ void options(const float *s, const float *x, const float *t, float *call, float *put, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float q = sqrtf(t[i]), d1 = (logf(s[i] / x[i]) + (0.02f + 0.045f) * t[i]) / (0.3f * q), d2 = d1 - 0.3f * q;
	float e = expf(-0.02f * t[i]), a = cnd(d1), b = cnd(d2);
	call[i] = s[i] * a - x[i] * e * b;
	put[i] = x[i] * e * (1.f - b) - s[i] * (1.f - a);
}
__global__ void butterfly(float2 *a, int half)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % half, i = (t / half) * 2 * half + k;
	float s, c;
	__sincosf(-3.14159265f * k / half, &s, &c);
	float2 u = a[i], v = a[i + half], w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
	a[i] = make_float2(u.x + w.x, u.y + w.y);
	a[i + half] = make_float2(u.x - w.x, u.y - w.y);
}
__global__ void strided(const float *a, float *b, int step, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i] = a[(size_t)i * step];
}
__global__ void widen(const unsigned char *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i] = a[i] * (1.f / 255);
}
__global__ void box27(const float *a, float *b, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
	if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1)
		return;
	float sum = 0;
#pragma unroll
	for (int w = -1; w <= 1; w++)
#pragma unroll
		for (int v = -1; v <= 1; v++)
#pragma unroll
			for (int u = -1; u <= 1; u++)
				sum += a[((z + w) * n + y + v) * n + x + u];
	b[(z * n + y) * n + x] = sum * (1.f / 27);
}
__global__ void softmax(const float *a, float *b, int columns)
{
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	const float *own = a + (size_t)row * columns;
	float most = -1e30f, sum = 0;
	for (int k = lane; k < columns; k += 32)
		most = fmaxf(most, own[k]);
	for (int o = 16; o > 0; o /= 2)
		most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, o));
	for (int k = lane; k < columns; k += 32)
		sum += expf(own[k] - most);
	for (int o = 16; o > 0; o /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, o);
	for (int k = lane; k < columns; k += 32)
		b[(size_t)row * columns + k] = expf(own[k] - most) / sum;
}
__global__ void planar(const float *re, const float *im, float *out_re, float *out_im, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float a = re[i], b = im[i];
	out_re[i] = a * a - b * b;
	out_im[i] = 2 * a * b;
}
__global__ void floyd(int *d, int n, int k)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int through = d[y * n + k] + d[k * n + x];
	if (through < d[y * n + x])
		d[y * n + x] = through;
}
__global__ void column_sums(const float *m, float *sums, int n)
{
	__shared__ float s[8][32];
	int x = blockIdx.x * 32 + threadIdx.x;
	float sum = 0;
	for (int y = blockIdx.y * 256 + threadIdx.y; y < blockIdx.y * 256 + 256; y += 8)
		sum += m[y * n + x];
	s[threadIdx.y][threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.y == 0) {
		for (int k = 1; k < 8; k++)
			sum += s[k][threadIdx.x];
		atomicAdd(&sums[x], sum);
	}
}
__global__ void scatter(const float *a, float *b, int n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	b[(i * 2654435761u >> 3) & (n - 1)] = a[i];
}
__global__ void small_mm(const float4 *a, const float4 *b, float4 *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
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
__global__ void walk_pi(unsigned *hits, int steps)
{
	unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 2891336453u, inside = 0;
	for (int k = 0; k < steps; k++) {
		x = x * 1664525u + 1013904223u;
		float u = (x >> 8) * (1.f / 16777216);
		x = x * 1664525u + 1013904223u;
		float v = (x >> 8) * (1.f / 16777216);
		inside += u * u + v * v < 1.f;
	}
	for (int o = 16; o > 0; o /= 2)
		inside += __shfl_down_sync(0xffffffff, inside, o);
	if (threadIdx.x % 32 == 0)
		atomicAdd(hits, inside);
}
__global__ void fields(const float *f, float *g, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0;
	for (int m = 0; m < 9; m++)
		s += f[(size_t)m * n + i];
	for (int m = 0; m < 9; m++)
		g[(size_t)m * n + i] = 0.9f * f[(size_t)m * n + i] + 0.01f * s;
}
__global__ void layer(const float *a, float *b, int columns)
{
	__shared__ float s[8];
	const float *own = a + (size_t)blockIdx.x * columns;
	float sum = 0;
	for (int k = threadIdx.x; k < columns; k += 256)
		sum += own[k];
	for (int o = 16; o > 0; o /= 2)
		sum += __shfl_xor_sync(0xffffffff, sum, o);
	if (threadIdx.x % 32 == 0)
		s[threadIdx.x / 32] = sum;
	__syncthreads();
	sum = 0;
	for (int k = 0; k < 8; k++)
		sum += s[k];
	float mean = sum / columns, square = 0;
	for (int k = threadIdx.x; k < columns; k += 256)
		square += (own[k] - mean) * (own[k] - mean);
	for (int o = 16; o > 0; o /= 2)
		square += __shfl_xor_sync(0xffffffff, square, o);
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		s[threadIdx.x / 32] = square;
	__syncthreads();
	square = 0;
	for (int k = 0; k < 8; k++)
		square += s[k];
	float scale = rsqrtf(square / columns + 1e-5f);
	for (int k = threadIdx.x; k < columns; k += 256)
		b[(size_t)blockIdx.x * columns + k] = (own[k] - mean) * scale;
}
__global__ void red_black(float *a, int n, int parity)
{
	int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
	x += (y + parity) & 1;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
		return;
	a[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}
__global__ void gray(const uchar3 *a, unsigned char *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i] = (unsigned char)(0.299f * a[i].x + 0.587f * a[i].y + 0.114f * a[i].z);
}
__global__ void wave(double *next, const double *now, const double *last, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x + 4;
	if (i >= n - 4)
		return;
	double s = -2.84722 * now[i] + 1.6 * (now[i - 1] + now[i + 1]) - 0.2 * (now[i - 2] + now[i + 2]) +
	           0.025 * (now[i - 3] + now[i + 3]) - 0.0018 * (now[i - 4] + now[i + 4]);
	next[i] = 2 * now[i] - last[i] + 0.1 * s;
}

int main()
{
	float *p = array_of(0, 1 << 29), *q = array_of(1, 1 << 29), *r = array_of(2, 1 << 29), *s = array_of(3, 1 << 27),
	      *t = array_of(4, 1 << 27);
	measure_start();
	MEASURE("stencil7", (stencil7<<<dim3(8, 64, 128), dim3(32, 4, 2)>>>(p, q, 256)))
	MEASURE("march", (march<<<dim3(16, 64), dim3(32, 8)>>>(p, q, 512, 128)))
	MEASURE("tile5", (tile5<<<dim3(128, 256), dim3(32, 16)>>>(p, q, 4096)))
	MEASURE("mv_warp", (mv_warp<<<1024, 256>>>(p, q, r, 8192)))
	MEASURE("mv_row", (mv_row<<<32, 128>>>(p, q, r, 4096)))
	MEASURE("mv_column", (mv_column<<<32, 128>>>(p, q, r, 4096)))
	MEASURE("mm_tiled", (mm_tiled<<<dim3(64, 64), dim3(16, 16)>>>(p, q, r, 1024)))
	MEASURE("mm_naive", (mm_naive<<<dim3(32, 128), dim3(32, 8)>>>(p, q, r, 1024)))
	MEASURE("axpy", (axpy<<<1056, 256>>>((double2 *)p, (const double2 *)q, 1.5, 33554432)))
	MEASURE("bins", (bins<<<528, 256>>>((const unsigned *)p, (unsigned *)q, 33554432)))
	MEASURE("scan", (scan<<<32768, 512>>>(p, q)))
	MEASURE("bitonic", (bitonic<<<65536, 256>>>((int *)p, 8, 1024)))
	MEASURE("conv", (conv<<<dim3(128, 512), dim3(32, 8)>>>((const uchar4 *)p, (uchar4 *)q, 4096, 4096)))
	MEASURE("nbody", (nbody<<<128, 256>>>((const float4 *)p, (float4 *)q, 32768)))
	MEASURE("options", (options<<<32768, 256>>>(p, q, r, s, t, 8388608)))
	MEASURE("butterfly", (butterfly<<<32768, 256>>>((float2 *)p, 4096)))
	MEASURE("strided", (strided<<<32768, 256>>>(p, q, 8, 8388608)))
	MEASURE("widen", (widen<<<262144, 256>>>((const unsigned char *)p, q, 67108864)))
	MEASURE("box27", (box27<<<dim3(8, 32, 256), dim3(32, 8)>>>(p, q, 256)))
	MEASURE("softmax", (softmax<<<4096, 256>>>(p, q, 1024)))
	MEASURE("planar", (planar<<<65536, 256>>>(p, q, r, r + 16777216, 16777216)))
	MEASURE("floyd", (floyd<<<dim3(64, 256), dim3(32, 8)>>>((int *)p, 2048, 77)))
	MEASURE("column_sums", (column_sums<<<dim3(128, 16), dim3(32, 8)>>>(p, q, 4096)))
	MEASURE("scatter", (scatter<<<65536, 256>>>(p, q, 16777216)))
	MEASURE("small_mm", (small_mm<<<8192, 256>>>((const float4 *)p, (const float4 *)q, (float4 *)r, 2097152)))
	MEASURE("walk_pi", (walk_pi<<<1056, 256>>>((unsigned *)p, 4096)))
	MEASURE("fields", (fields<<<16384, 256>>>(p, q, 4194304)))
	MEASURE("layer", (layer<<<16384, 256>>>(p, q, 4096)))
	MEASURE("red_black", (red_black<<<dim3(64, 512), dim3(32, 8)>>>(p, 4096, 0)))
	MEASURE("gray", (gray<<<131072, 256>>>((const uchar3 *)p, (unsigned char *)q, 33554432)))
	MEASURE("wave", (wave<<<65536, 256>>>((double *)p, (const double *)q, (const double *)r, 16777216)))
	return measure_stop();
}
