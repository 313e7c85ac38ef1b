/*
 * A loop over tiles with and without its yields: broadcast_2_b of sweep/blind/broadcast_2.cu in asta, machine code changed by yields.py. Of 192 instructions for 16
 * records 84 go to the uniform datapath, and 28 yield.
 *
 *     coalesce rewrite ../sweep/blind/broadcast_2.cu --layout asta -o tiles.cu; nvcc -O3 -arch=sm_90 -cubin -o tiles.cubin tiles.cu
 *     ./yields.py tiles.cubin _Z13broadcast_2_bPK11record_tilePKfPfii 0x230 0xe20 folder
 *     nvcc -O2 -arch=sm_90 -o yields yields.cu; ./yields folder >yields.csv
 *
 * Prints CSV, cycles of a scheduler for a trip of the loop of one of its warps: benchmarks/measured/yields-h200.csv. Beside it yields-samples-h200.csv: the loop's instructions, their stall counts, which of them
 * yield, and how often warps were found at each (352 blocks of 192 threads: 12 or 18 warps an SM; 16384 records; Nsight Compute, SourceCounters, all samples).
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#define RECORDS 8000
#define RECORDS_A_TRIP 16
#define SMS 132
#define LAUNCH_US 3.0
#define MHZ 1980

int main(int argc, char **argv)
{
	char name[100], kernel[200], path[400];
	snprintf(path, sizeof path, "%s/names", argc > 1 ? argv[1] : ".");
	FILE *names = fopen(path, "r");
	if (!names)
		return fprintf(stderr, "%s: not there\n", path), 1;
	float *p, *x0, *out;
	cudaMalloc(&p, 64 << 20);
	cudaMalloc(&x0, 4 << 20);
	cudaMalloc(&out, 4 << 20);
	cudaMemset(p, 0, 64 << 20);
	cudaMemset(x0, 0, 4 << 20);
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	printf("variant,blocks,threads,us,cycles\n");
	while (fscanf(names, "%99s %199s", name, kernel) == 2) {
		cudaLibrary_t library;
		cudaKernel_t handle;
		snprintf(path, sizeof path, "%s/%s.cubin", argv[1], name);
		if (cudaLibraryLoadFromFile(&library, path, 0, 0, 0, 0, 0, 0) || cudaLibraryGetKernel(&handle, library, kernel))
			return fprintf(stderr, "%s: %s\n", path, cudaGetErrorString(cudaGetLastError())), 1;
		for (int blocks = 1; blocks <= 8; blocks *= 2) {
			int m = RECORDS, threads = 128, n = SMS * blocks * threads;
			void *arguments[] = {&p, &x0, &out, &m, &n};
			float least = 1e9f, ms;
			for (int r = 0; r < 5; r++) {
				cudaEventRecord(begin);
				cudaLaunchKernel((void *)handle, dim3(SMS * blocks), dim3(threads), arguments, 0, 0);
				cudaEventRecord(end);
				if (cudaEventSynchronize(end) || cudaGetLastError())
					return fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(cudaGetLastError())), 1;
				cudaEventElapsedTime(&ms, begin, end);
				least = std::min(least, ms);
			}
			printf("%s,%d,%d,%.1f,%.1f\n", name, blocks, threads, least * 1e3,
			       (least * 1e3 - LAUNCH_US) * MHZ / (RECORDS / RECORDS_A_TRIP) / blocks);
		}
		cudaLibraryUnload(library);
	}
	return 0;
}
