/*
 * Every thread reads every record, the first READ words of WORDS: as records, as arrays, as tiles of 32. Blocks of 1 to 32 warps, one to several an SM. Prints CSV, microseconds between events, the median of
 * nine: benchmarks/measured/walks-h200.csv, blocks an SM. `walks few`: 4000 records instead of 8000 by 1 to 132 blocks of a warp, and 132 of eight: benchmarks/measured/walks-few-h200.csv, blocks.
 *
 * form: 0 records, 1 arrays, 2 tiles; l2: `dirty` after a kernel that writes 120 MiB, `clean` after one that reads them, `warm` right after the same launch.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>
#include <vector>
enum { RECORDS, ARRAYS, TILES };
#define COUNT 8192
#define SMS 132
#define FLUSH_BLOCKS (120 << 20 >> 12)

template <int WORDS, int READ, int FORM>
static __global__ void __launch_bounds__(1024) walk(const float *p, const float *x0, float *out, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float y = x0[i];
	float sum = 0.0f;
	int count = 0;
	for (int j = 0; j < m; j++) {
		float x = 0.25f;
		int k = 1;
#pragma unroll
		for (int w = 0; w < READ; w++)
			x += 0.75f * (FORM == RECORDS  ? p[j * WORDS + w]
			              : FORM == ARRAYS ? p[w * COUNT + j]
			                               : p[(j >> 5) * (32 * WORDS) + w * 32 + (j & 31)]);
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

static char *scratch;
static __global__ void overwrite(uint4 *s, unsigned v)
{
	s[blockIdx.x * blockDim.x + threadIdx.x] = make_uint4(v, v, v, v);
}
static __global__ void look(uint4 *s, unsigned v)
{
	uint4 x = s[blockIdx.x * blockDim.x + threadIdx.x];
	if (x.x == v && x.y == v + 1)
		s[0] = x;
}

static bool few;
static std::vector<std::pair<int, int>> shapes()
{
	if (few)
		return {{1, 32}, {2, 32}, {4, 32}, {8, 32}, {16, 32}, {33, 32}, {66, 32}, {132, 32}, {132, 256}};
	return {{1, 32},  {1, 64},  {1, 96},  {1, 128},  {1, 160}, {1, 192}, {1, 256}, {1, 384}, {1, 512}, {1, 1024},
	        {2, 192}, {3, 192}, {4, 192}, {2, 96},   {3, 96},  {4, 96},  {8, 96},  {2, 128}, {3, 128}, {4, 128},
	        {8, 128}, {2, 256}, {3, 256}, {2, 1024}, {3, 32},  {6, 32},  {12, 32}, {24, 32}};
}

template <int WORDS, int READ, int FORM> static void measure(const float *p, const float *x0, float *out)
{
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (auto [count, threads] : shapes()) {
		for (int state = 0; state < 3; state++) {
			std::vector<float> times;
			float ms;
			int m = few ? 4000 : 8000, blocks = few ? count : SMS * count;
			for (int r = 0; r < 9; r++) {
				if (state == 0)
					overwrite<<<FLUSH_BLOCKS, 256>>>((uint4 *)scratch, r);
				else if (state == 1)
					look<<<FLUSH_BLOCKS, 256>>>((uint4 *)scratch, 7777);
				cudaEventRecord(begin);
				walk<WORDS, READ, FORM><<<blocks, threads>>>(p, x0, out, m, blocks * threads);
				cudaEventRecord(end);
				cudaEventSynchronize(end);
				cudaEventElapsedTime(&ms, begin, end);
				times.push_back(ms);
			}
			std::sort(times.begin(), times.end());
			printf("%d,%d,%d,%d,%d,%s,%.2f\n", WORDS, READ, FORM, count, threads,
			       state == 0   ? "dirty"
			       : state == 1 ? "clean"
			                    : "warm",
			       times[4] * 1e3f);
		}
	}
}

template <int WORDS, int READ> static void forms(const float *p, const float *x0, float *out)
{
	measure<WORDS, READ, RECORDS>(p, x0, out);
	measure<WORDS, READ, ARRAYS>(p, x0, out);
	measure<WORDS, READ, TILES>(p, x0, out);
}

int main(int argc, char **)
{
	few = argc > 1;
	float *p, *x0, *out;
	cudaMalloc(&p, 64 << 20);
	cudaMalloc(&scratch, 128 << 20);
	cudaMalloc(&x0, 4 << 20);
	cudaMalloc(&out, 4 << 20);
	cudaMemset(p, 0, 64 << 20);
	cudaMemset(x0, 0, 4 << 20);
	printf("words,read,form,blocks,threads,l2,us\n");
	forms<1, 1>(p, x0, out);
	forms<3, 3>(p, x0, out);
	if (few) {
		measure<9, 9, ARRAYS>(p, x0, out);
		measure<8, 1, RECORDS>(p, x0, out);
		measure<16, 1, RECORDS>(p, x0, out);
		measure<32, 1, RECORDS>(p, x0, out);
		measure<64, 1, RECORDS>(p, x0, out);
	} else {
		forms<8, 2>(p, x0, out);
		forms<9, 9>(p, x0, out);
	}
	return cudaDeviceSynchronize() != cudaSuccess;
}
