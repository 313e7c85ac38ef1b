/*
 * What instructions of several kinds cost a scheduler together: the loop of `timed`, into which mixes.py puts them, by 1 to 32 warps on each SM.
 *
 *     nvcc -arch=sm_90 -cubin -o mixes.cubin mixes.cu; ./mixes.py mixes.cubin folder
 *     nvcc -O2 -arch=sm_90 -o mixes mixes.cu; ./mixes folder >mixes.csv
 *
 * Prints CSV, cycles of a scheduler for one group of instructions of one of its warps, without what the loop around them takes: benchmarks/measured/mixes-h200.csv.
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#define BODY 96
#define AROUND 6 /* instructions of the loop that are no part of the body */

extern "C" __global__ void __launch_bounds__(1024) timed(int *out, const float *p, int b, int rounds, long long *clocks)
{
	int x = threadIdx.x, y = x * 3;
	float f = 0;
	extern __shared__ float s[];
	s[threadIdx.x] = 1;
	__syncthreads();
	long long start = clock64();
	for (int r = 0; r < rounds; r++) {
		asm volatile("ld.global.f32 %0,[%1];" : "=f"(f) : "l"(p));
#pragma unroll
		for (int i = 0; i < BODY; i++)
			asm volatile("lop3.b32 %0,%0,%1,%2,0x96;" : "+r"(x) : "r"(y), "r"(b));
	}
	__syncthreads();
	long long end = clock64();
	out[blockIdx.x * blockDim.x + threadIdx.x] = x + (int)f;
	if (threadIdx.x == 0)
		clocks[blockIdx.x] = end - start;
}

static double cycles_of(cudaKernel_t kernel, int warps)
{
	static int *out;
	static float *p;
	static long long *clocks, host[132];
	int b = 2, rounds = 300;
	long long least = 1ll << 60;
	if (!out) {
		cudaMalloc(&out, 132 * 1024 * sizeof *out);
		cudaMalloc(&p, 1 << 20);
		cudaMalloc(&clocks, sizeof host);
	}
	void *arguments[] = {&out, &p, &b, &rounds, &clocks};
	for (int r = 0; r < 3; r++) {
		cudaLaunchKernel((void *)kernel, dim3(132), dim3(32 * warps), arguments, 8192, 0);
		if (cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost))
			return -1;
		for (long long each : host)
			least = each < least ? each : least;
	}
	return (double)least / rounds;
}

int main(int argc, char **argv)
{
	char name[100], path[400];
	int group, slots;
	snprintf(path, sizeof path, "%s/names", argc > 1 ? argv[1] : ".");
	FILE *names = fopen(path, "r");
	printf("mix,instructions,warps,cycles\n");
	while (names && fscanf(names, "%99s %d %d", name, &group, &slots) == 3) {
		cudaLibrary_t library;
		cudaKernel_t kernel;
		snprintf(path, sizeof path, "%s/%s.cubin", argv[1], name);
		if (cudaLibraryLoadFromFile(&library, path, 0, 0, 0, 0, 0, 0) || cudaLibraryGetKernel(&kernel, library, "timed"))
			return fprintf(stderr, "%s: %s\n", path, cudaGetErrorString(cudaGetLastError())), 1;
		for (int warps = 4; warps <= 32; warps *= 2)
			printf("%s,%d,%d,%.3f\n", name, group, warps,
			       (cycles_of(kernel, warps) / (warps / 4) - slots % group - AROUND) / (slots / group));
		cudaLibraryUnload(library);
	}
	return 0;
}
