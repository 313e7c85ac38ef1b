/*
 * Records of WORDS words updated in place (or from one array to another), as arrays and as tiles of 32: READ and WRITTEN say by bits which words. FORM 0: a thread a record; 1: grid-stride, eight blocks
 * of 256 an SM; 2: four records a thread, blocks apart. Prints CSV, microseconds, the median
 * of 11 launches, each after a kernel that overwrites the L2: benchmarks/measured/places-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>
#define FLUSH_BLOCKS (120 << 20 >> 12)
template <int WORDS, bool TILED> static __device__ size_t at(size_t i, int w, size_t step)
{
	return TILED ? i / 32 * (32 * WORDS) + w * 32 + i % 32 : w * step + i;
}
template <int WORDS, unsigned READ, unsigned WRITTEN, bool TILED>
static __device__ void one(const float *p, float *q, size_t i, size_t step)
{
	float x = 0.25f;
#pragma unroll
	for (int w = 0; w < WORDS; w++)
		if (READ >> w & 1)
			x += 0.75f * p[at<WORDS, TILED>(i, w, step)];
#pragma unroll
	for (int w = 0; w < WORDS; w++)
		if (WRITTEN >> w & 1)
			q[at<WORDS, TILED>(i, w, step)] = x * (0.5f + w);
}
template <int WORDS, unsigned READ, unsigned WRITTEN, bool TILED, int FORM, bool APART>
static __global__ void __launch_bounds__(256) update(float *p, float *q, int n, int step)
{
	if (!APART)
		q = p;
	if (FORM == 0) {
		int i = blockIdx.x * blockDim.x + threadIdx.x;
		if (i < n)
			one<WORDS, READ, WRITTEN, TILED>(p, q, i, step);
	} else if (FORM == 1)
		for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
			one<WORDS, READ, WRITTEN, TILED>(p, q, i, step);
	else
		for (int r = 0; r < 4; r++) {
			int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
			if (i < n)
				one<WORDS, READ, WRITTEN, TILED>(p, q, i, step);
		}
}
static float *p, *q;
static char *scratch;
static __global__ void overwrite(uint4 *s, unsigned v)
{
	s[blockIdx.x * blockDim.x + threadIdx.x] = make_uint4(v, v, v, v);
}
static int once;
template <int WORDS, unsigned READ, unsigned WRITTEN, bool TILED, int FORM, bool APART> static void measure()
{
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (size_t bytes : {12ull << 20, 64ull << 20, 160ull << 20, 480ull << 20}) {
		if (once && bytes != 480ull << 20)
			continue;
		int step = (int)(bytes / 4 / WORDS / (512 << 10) * (512 << 10)), n = step - 512;
		if (step == 0)
			step = n = (int)(bytes / 4 / WORDS);
		int blocks = FORM == 1 ? 1056 : (n + 255) / 256;
		if (FORM == 2)
			blocks = (blocks + 3) / 4;
		std::vector<float> times;
		float ms;
		for (int r = 0; r < (once ? 1 : 11); r++) {
			overwrite<<<FLUSH_BLOCKS, 256>>>((uint4 *)scratch, r);
			cudaEventRecord(begin);
			update<WORDS, READ, WRITTEN, TILED, FORM, APART><<<blocks, 256>>>(p, q, n, step);
			cudaEventRecord(end);
			cudaEventSynchronize(end);
			cudaEventElapsedTime(&ms, begin, end);
			times.push_back(ms);
		}
		std::sort(times.begin(), times.end());
		printf("%d,%x,%x,%s,%d,%s,%d,%d,%.2f\n", WORDS, READ, WRITTEN, TILED ? "tiles" : "arrays", FORM,
		       APART ? "apart" : "in place", n, blocks, times[times.size() / 2] * 1e3f);
	}
}
template <int WORDS, unsigned READ, unsigned WRITTEN, int FORM, bool APART> static void both()
{
	measure<WORDS, READ, WRITTEN, false, FORM, APART>();
	measure<WORDS, READ, WRITTEN, true, FORM, APART>();
}
template <int WORDS, unsigned READ, unsigned WRITTEN> static void all()
{
	both<WORDS, READ, WRITTEN, 0, false>();
	both<WORDS, READ, WRITTEN, 1, false>();
	both<WORDS, READ, WRITTEN, 0, true>();
	both<WORDS, READ, WRITTEN, 1, true>();
}
int main(int argc, char **)
{
	once = argc > 1;
	cudaMalloc(&p, 512 << 20);
	cudaMalloc(&q, 512 << 20);
	cudaMalloc(&scratch, 128 << 20);
	cudaMemset(p, 0, 512 << 20);
	cudaMemset(q, 0, 512 << 20);
	printf("words,read,written,layout,form,to,n,blocks,us\n");
	all<3, 6, 5>();
	all<3, 5, 3>();
	all<3, 7, 1>();
	if (!once) {
		all<3, 7, 7>();
		all<3, 3, 4>();
		all<2, 3, 1>();
		all<2, 1, 2>();
		all<2, 3, 3>();
		all<1, 1, 1>();
		all<6, 0x3f, 1>();
		all<6, 0x3f, 7>();
		all<6, 7, 7>();
		all<6, 7, 0x38>();
		all<8, 0xff, 1>();
		all<8, 0xff, 0xf>();
		all<8, 0xff, 0xff>();
		all<3, 7, 0>();
		all<3, 0, 7>();
		all<3, 0, 1>();
	}
	return cudaDeviceSynchronize() != cudaSuccess;
}
