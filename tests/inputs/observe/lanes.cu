// What lanes, warps and blocks do together: each kernel checks one thing, and the host knows the right answer.
// launch: lanes 1x1x1 64x1x1 0 1
// launch: counted 1x1x1 96x1x1 0 1
// launch: locked 4x1x1 64x1x1 0 1
// launch: chained 40x1x1 32x1x1 0 1
// launch: calls 1x1x1 32x1x1 0 1
// launch: halves 1x1x1 32x1x1 0 1
// launch: dynamic 2x1x1 64x1x1 256 1
// launch: parted 1x1x1 32x1x1 0 1
// ended: status 0
#include <cstdio>
#include <cuda_fp16.h>
__global__ void lanes(int *out)
{
	int lane = threadIdx.x % 32, odd = lane & 1;
	out[threadIdx.x] = __shfl_xor_sync(~0u, lane, 5) + 100 * __shfl_up_sync(~0u, lane, 3, 8);
	out[64 + threadIdx.x] = __ballot_sync(~0u, lane % 3 == 0) + __any_sync(~0u, lane == 40) + 2 * __all_sync(~0u, lane < 32);
	out[128 + threadIdx.x] = __match_any_sync(~0u, lane / 8) ^ __reduce_add_sync(~0u, lane) ^ __reduce_max_sync(~0u, -lane);
	if (odd)
		out[192 + threadIdx.x] = __popc(__activemask()) + __shfl_sync(0xaaaaaaaa, lane, 7);
	else
		out[192 + threadIdx.x] = -__shfl_sync(0x55555555, lane, 30);
}
__global__ void counted(int *out)
{
	int count = __syncthreads_count(threadIdx.x % 5 == 0), all = __syncthreads_and(threadIdx.x < 96), some = __syncthreads_or(threadIdx.x == 200);
	out[threadIdx.x] = count + 1000 * all + 10000 * some;
}
__device__ int lock, held;
__global__ void locked()
{
	for (bool done = false; !done;)
		if (atomicCAS(&lock, 0, 1) == 0) {
			held = held + 1;
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
}
/* Each block waits for the one behind it. */
__global__ void chained(volatile int *flag, int *out)
{
	if (threadIdx.x == 0) {
		while (blockIdx.x + 1 < gridDim.x && flag[blockIdx.x + 1] == 0)
			;
		out[blockIdx.x] = blockIdx.x + 1 < gridDim.x ? flag[blockIdx.x + 1] + 1 : 1;
		__threadfence();
		flag[blockIdx.x] = out[blockIdx.x];
	}
}
__device__ __noinline__ int depth(int n, int lane)
{
	int local[8];
	for (int i = 0; i < 8; i++)
		local[(i * lane) & 7] = i + n;
	return n <= 0 ? local[lane & 7] : depth(n - 1 - (lane & 1), lane) + local[n & 7] * 0 + 1;
}
__global__ void calls(int *out)
{
	out[threadIdx.x] = depth(threadIdx.x % 7, 1);
	if (threadIdx.x < 2)
		printf("lane %d of %s: %5.2f %lld %%\n", threadIdx.x, "calls", threadIdx.x * 0.5, 1ll << 40);
}
__global__ void halves(float *out)
{
	__half2 pair = __floats2half2_rn(threadIdx.x, 0.1f);
	pair = __hfma2(pair, __float2half2_rn(2.0f), __float2half2_rn(1.0f));
	out[threadIdx.x] = __low2float(pair) + __high2float(pair);
	out[32 + threadIdx.x] = __float2int_rn(threadIdx.x + 0.5f) + __fadd_rz(1.0f, 0x1.8p-24f) + __saturatef(threadIdx.x - 3.0f);
}
__global__ void dynamic(int *out)
{
	extern __shared__ int part[];
	part[threadIdx.x] = threadIdx.x + 64 * blockIdx.x;
	__syncthreads();
	int *generic = part;
	atomicAdd(&generic[63 - threadIdx.x], 1000);
	__syncthreads();
	out[64 * blockIdx.x + threadIdx.x] = generic[63 - threadIdx.x];
}
/* Lanes come to a shuffle over the whole warp after different numbers of rounds. */
__global__ void parted(int *out)
{
	int value = threadIdx.x;
	for (unsigned i = 0; i < threadIdx.x % 4; i++)
		value += atomicAdd(&out[64], 0) + 10;
	out[threadIdx.x] = __shfl_down_sync(~0u, value, 1);
}
static int wrong, number;
static void check(bool right)
{
	number++;
	if (!right && !wrong)
		wrong = number;
}
int main()
{
	int *out, host[256], value;
	float *real, reals[64];
	cudaMallocManaged(&real, sizeof reals);
	cudaMalloc(&out, sizeof host);
	lanes<<<1, 64>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 64; i++) {
		int lane = i % 32;
		check(host[i] == (lane ^ 5) + 100 * (lane % 8 < 3 ? lane : lane - 3));
		check(host[64 + i] == 0x49249249 + 2);
		check(host[128 + i] == ((0xff << lane / 8 * 8) ^ 496 ^ 0));
		check(host[192 + i] == (lane & 1 ? 16 + 7 : -30));
	}
	counted<<<1, 96>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	check(host[0] == 1020 && host[95] == 1020);
	locked<<<4, 64>>>();
	cudaMemcpyFromSymbol(&value, held, sizeof value);
	check(value == 256);
	cudaMemset(out, 0, sizeof host);
	chained<<<40, 32>>>(out, out + 64);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	check(host[0] == 40 && host[39] == 1);
	calls<<<1, 32>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	check(host[0] == 1 && host[6] == 4 && host[5] == 3);
	halves<<<1, 32>>>(real);
	cudaDeviceSynchronize();
	for (int i = 0; i < 32; i++) {
		check(real[i] == 2.0f * i + 1 + 1.2001953125f);
		check(real[32 + i] == (i % 2 ? i + 1 : i) + 1.0f + (i < 4 ? 0 : 1));
	}
	dynamic<<<2, 64, 256>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	check(host[0] == 1063 && host[127] == 1064);
	cudaMemset(out, 0, sizeof host);
	parted<<<1, 32>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	check(host[0] == 11 && host[2] == 33 && host[3] == 4);
	return wrong != 0;
}
