/*
 * Whether what is stored takes room of what is loaded in the L1: one block an SM loads a set of its own again and again, whole lines of it, and stores whole lines of another between, the same in each round or new ones.
 * Prints CSV: kilobytes loaded and stored a round, whether the same ones are stored again, cycles a round; under Nsight Compute (l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum) what hits.
 */
#include <cstdio>
#include <cuda_runtime.h>
#define ROUNDS 40
static __global__ void __launch_bounds__(1024)
	both(const float *set, float *out, int loads, int stores, int again, float *sink, long long *cycles)
{
	const float *own = set + (size_t)blockIdx.x * 65536;
	float *mine = out + (size_t)blockIdx.x * 65536 * 64, sum = 0;
	long long begin = 0;
	for (int round = 0; round < ROUNDS; round++) {
		if (round == ROUNDS / 2) {
			__syncthreads();
			begin = clock64();
		}
		for (int i = threadIdx.x; i < loads; i += 1024)
			sum += own[i];
		for (int i = threadIdx.x; i < stores; i += 1024)
			mine[(size_t)(again ? 0 : round) * 65536 + i] = sum;
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
	cudaMalloc(&set, (size_t)sms * 65536 * 4);
	cudaMalloc(&out, (size_t)sms * 65536 * 4 * 64);
	cudaMalloc(&sink, 4);
	cudaMalloc(&cycles, sms * 8);
	cudaMemset(set, 0, (size_t)sms * 65536 * 4);
	cudaFuncSetAttribute(both, cudaFuncAttributePreferredSharedMemoryCarveout, 0);
	printf("loaded_kb,stored_kb,again,cycles_a_round\n");
	const int loads[] = {64, 128, 160, 192, 208}, stores[] = {0, 16, 32, 64, 128, 192};
	for (int l : loads)
		for (int s : stores)
			for (int again = 0; again < 2; again++) {
				both<<<sms, 1024>>>(set, out, l * 256, s * 256, again, sink, cycles);
				cudaMemcpy(&host, cycles, 8, cudaMemcpyDeviceToHost);
				printf("%d,%d,%d,%.1f\n", l, s, again, host / (ROUNDS / 2.0));
			}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
