/*
 * Loads and stores of parts of records side by side: p is read, q written (or read and written), both records of R words; S and L: the words stored and loaded. Prints medians in us;
 * under Nsight Compute, with one repetition, its counts: benchmarks/measured/parts-h200.csv has both.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define BLOCK 256
template <int R, unsigned S, unsigned L, int P, int W> __global__ void __launch_bounds__(BLOCK) mix(const float *p, float *q, int n, int wrap)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;
	if (i >= n)
		return;
	float x = .25f;
	const float *a = (P ? q : p) + (size_t)(i & wrap) * R;
#pragma unroll
	for (int k = 0; k < R; k++)
		if (L >> k & 1) {
			float v;
			asm volatile("ld.global.f32 %0,[%1];" : "=f"(v) : "l"(a + k));
			x += v;
		}
	float *b = q + (size_t)i * R;
	if (W == 4) {
#pragma unroll
		for (int k = 0; k < R; k += 4)
			if (S >> k & 1)
				asm volatile("st.global.v4.f32 [%0],{%1,%1,%1,%1};" ::"l"(b + k), "f"(x));
	} else {
#pragma unroll
		for (int k = 0; k < R; k++)
			if (S >> k & 1)
				asm volatile("st.global.f32 [%0],%1;" ::"l"(b + k), "f"(x));
	}
	if (S == 0 && x == 12345.f)
		q[0] = x;
}
__global__ void flush(float *f, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		f[i] = i;
}
float *p, *q, *f;
int reps;
template <int R, unsigned S, unsigned L, int P, int W> void run(const char *name, int wrap = -1)
{
	int n = 8 << 20;
	std::vector<float> t;
	cudaEvent_t a, b;
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	for (int r = 0; r < reps; r++) {
		flush<<<1024, 256>>>(f, 60 << 20);
		cudaEventRecord(a);
		mix<R, S, L, P, W><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(p, q, n, wrap);
		cudaEventRecord(b);
		cudaEventSynchronize(b);
		float ms;
		cudaEventElapsedTime(&ms, a, b);
		t.push_back(ms * 1e3f);
	}
	std::sort(t.begin(), t.end());
	printf("%s,%d,%x,%x,%d,%d,%d,%.1f\n", name, R, S, L, P, W, wrap, t[t.size() / 2]);
}
int main(int c, char **v)
{
	reps = c > 1 ? atoi(v[1]) : 9;
	cudaMalloc(&p, 1u << 30);
	cudaMalloc(&q, 1u << 30);
	cudaMalloc(&f, 256 << 20);
	cudaMemset(p, 0, 1u << 30);
	cudaMemset(q, 0, 1u << 30);
	run<8, 0x2, 0, 0, 1>("s");
	run<8, 0, 0x2, 0, 1>("l");
	run<8, 0x2, 0x2, 0, 1>("ls");
	run<8, 0x12, 0, 0, 1>("s");
	run<8, 0x12, 0x2, 0, 1>("ls");
	run<8, 0x12, 0x2, 0, 1>("ls-l2", 0x3ffff);
	run<8, 0x2, 0x2, 0, 1>("ls-l2", 0x3ffff);
	run<8, 0x41, 0x12, 1, 1>("inplace");
	run<8, 0x1, 0x12, 1, 1>("inplace");
	run<8, 0x11, 0x11, 1, 4>("inplace");
	run<8, 0x11, 0x0, 0, 4>("s");
	run<8, 0x11, 0x11, 0, 4>("ls");
	run<10, 0x2, 0, 0, 1>("s");
	run<10, 0x42, 0, 0, 1>("s");
	run<10, 0, 0x200, 0, 1>("l");
	run<10, 0x2, 0x200, 0, 1>("ls");
	run<10, 0x42, 0x200, 0, 1>("ls");
	run<10, 0x42, 0x200, 0, 1>("ls-l2", 0x3ffff);
	run<10, 0x2, 0x200, 0, 1>("ls-l2", 0x3ffff);
	run<10, 0x42, 0x18, 1, 1>("inplace");
	run<10, 0x3ff, 0x0, 0, 1>("s");
	run<12, 0x7, 0, 0, 1>("s");
	run<12, 0x1, 0, 0, 4>("s");
	run<12, 0, 0xfff, 0, 1>("l");
	run<12, 0x7, 0xfff, 0, 1>("ls");
	run<12, 0x1, 0xfff, 0, 4>("ls");
	run<12, 0x1, 0x111, 0, 4>("ls");
	run<12, 0x111, 0x111, 0, 4>("ls");
	run<16, 0x2, 0, 0, 1>("s");
	run<16, 0, 0x2, 0, 1>("l");
	run<16, 0x2, 0x2, 0, 1>("ls");
	run<16, 0x202, 0, 0, 1>("s");
	run<16, 0x202, 0x202, 0, 1>("ls");
	run<7, 0x12, 0, 0, 1>("s");
	run<7, 0, 0x8, 0, 1>("l");
	run<7, 0x12, 0x8, 0, 1>("ls");
	run<5, 0x4, 0x0, 0, 1>("s");
	run<5, 0x4, 0x2, 0, 1>("ls");
	run<5, 0x12, 0x2, 0, 1>("ls");
	run<20, 0x402, 0x200, 0, 1>("ls");
	run<20, 0x402, 0, 0, 1>("s");
	run<20, 0, 0x200, 0, 1>("l");
}
