/*
 * Whether what is stored takes room of what is loaded in the L1: one block an SM loads a set of its own again and again, whole lines of it, and stores or loads whole lines of another between, the same in each round or new ones.
 * Prints CSV: kilobytes of both a round, whether the second ones are loaded, whether they are the same again, whether all warps meet in each round, cycles a round; under Nsight Compute (l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum) what hits.
 */
#include <cstdio>
#include <cuda_runtime.h>
#define ROUNDS 40
#define MOST 131072 /* words of a set */
static __global__ void __launch_bounds__(1024) both(const float *set, float *out, int loads, int others, bool load, bool again,
                                                    bool barrier, float *sink, long long *cycles)
{
	const float *own = set + (size_t)blockIdx.x * MOST;
	float *mine = out + (size_t)blockIdx.x * MOST * 64, sum = 0;
	long long begin = 0;
	for (int round = 0; round < ROUNDS; round++) {
		if (round == ROUNDS / 2) {
			__syncthreads();
			begin = clock64();
		}
		if (barrier)
			__syncthreads();
		for (int i = threadIdx.x; i < loads; i += 1024)
			sum += own[i];
		for (int i = threadIdx.x; i < others; i += 1024) {
			float *at = &mine[(size_t)(again ? 0 : round) * MOST + i];
			if (load)
				sum += *at;
			else
				*at = sum;
		}
	}
	__syncthreads();
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = clock64() - begin;
	if (sum == 12345.f)
		*sink = sum;
}
int main()
{
	float *set, *out, *sink;
	long long *cycles, host;
	int sms;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&set, (size_t)sms * MOST * 4);
	cudaMalloc(&out, (size_t)sms * MOST * 4 * 64);
	cudaMalloc(&sink, 4);
	cudaMalloc(&cycles, sms * 8);
	cudaMemset(set, 0, (size_t)sms * MOST * 4);
	cudaFuncSetAttribute(both, cudaFuncAttributePreferredSharedMemoryCarveout, 0);
	printf("loaded_kb,others_kb,load,again,barrier,cycles_a_round\n");
	const int loads[] = {64, 128, 160, 192, 208, 256, 288, 320, 384, 512}, others[] = {0, 16, 32, 64, 128, 192};
	for (int l : loads)
		for (int o : others)
			for (int kind = 0; kind < (o ? 8 : 2) && (!o || l <= 208); kind++) {
				both<<<sms, 1024>>>(set, out, l * 256, o * 256, kind & 4, kind & 2, kind & 1, sink, cycles);
				cudaMemcpy(&host, cycles, 8, cudaMemcpyDeviceToHost);
				printf("%d,%d,%d,%d,%d,%.1f\n", l, o, kind >> 2, kind >> 1 & 1, kind & 1, host / (ROUNDS / 2.0));
			}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
