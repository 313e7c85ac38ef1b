/*
 * Words of constant memory that loops come to by a number: the same for all lanes, or other ones for each, or known when the kernel is compiled; by 1 to 32 warps of an SM, of tables of 256 bytes to 64 KB. nvcc 13.0 makes LDC of them, but ULDC of `uniform` and
 * `every fourth` the second time, which is the one that is timed, and of the known ones. So it does of elements of 1 to 16 bytes at one place or several (`4 bytes, 8 places`; of 16 bytes two of 8). And a filter, whose coefficients come by ULDC, or are all the same (`plain`): by 1 to 8 blocks of eight warps, each at its own place in it.
 *
 *     nvcc -O3 -arch=sm_90 -o constants constants.cu; ./constants >constants.csv
 *
 * Prints CSV: how, bytes of the table, warps of an SM, cycles of a warp for a word, and of the SM: benchmarks/measured/constants-h200.csv; constants-h100.csv as it was before the last rows.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define MOST 16384 /* words */
#define TIMES 16384
#define SMS 132
#define MOST_WARPS 64 /* of an SM */
#define BLOCK 256

__constant__ float words[MOST];

enum how { UNIFORM, REGISTER, LANES_2, LANES_4, LANES_32, KNOWN, STRIDED };

template <enum how HOW> static __global__ void __launch_bounds__(1024) load(float *out, int mask, int zero, long long *cycles)
{
	float sum = 0, x = threadIdx.x;
	int lane = threadIdx.x % 32, own = HOW == LANES_2    ? lane % 2
	                                   : HOW == LANES_4  ? lane % 4
	                                   : HOW == LANES_32 ? lane
	                                                     : threadIdx.x * zero;
	for (int turn = 0; turn < 2; turn++) {
		long long begin = clock64();
		if (HOW == KNOWN) {
			for (int k = 0; k < TIMES / 64; k++)
#pragma unroll
				for (int i = 0; i < 64; i++)
					sum += words[i] * (x + k);
		} else if (HOW == UNIFORM) {
#pragma unroll 1
			for (int t = 0; t < TIMES; t += mask + 1)
				for (int k = 0; k <= mask; k++)
					sum += words[k] * x;
		} else if (HOW == STRIDED) {
#pragma unroll 1
			for (int t = 0; t < TIMES; t += (mask + 1) / 4)
				for (int k = 0; k <= mask; k += 4)
					sum += words[k] * x;
		} else {
#pragma unroll 8
			for (int k = 0; k < TIMES; k++)
				sum += words[(k + own) & mask] * x;
		}
		if (lane == 0)
			cycles[blockIdx.x * MOST_WARPS + threadIdx.x / 32] = clock64() - begin;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Elements of another width, at so many places for the lanes of a warp. */
template <class T, int PLACES>
static __global__ void __launch_bounds__(1024) load_places(float *out, int mask, int zero, long long *cycles)
{
	float sum = 0;
	int own = PLACES == 1 ? threadIdx.x * zero : threadIdx.x % PLACES;
	for (int turn = 0; turn < 2; turn++) {
		long long begin = clock64();
#pragma unroll 8
		for (int k = 0; k < TIMES; k++) {
			T element = ((const T *)words)[(k + own) & mask];
			const unsigned char *bytes = (const unsigned char *)&element;
			if (sizeof(T) < sizeof(float))
				sum += bytes[0];
			for (int i = 0; i + sizeof(float) <= sizeof(T); i += sizeof(float))
				sum += *(const float *)(bytes + i);
		}
		if (threadIdx.x % 32 == 0)
			cycles[blockIdx.x * MOST_WARPS + threadIdx.x / 32] = clock64() - begin;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Each word once for the lane's own loads, which the L1 has. */
template <bool CONSTANT>
static __global__ void __launch_bounds__(BLOCK, MOST_WARPS * 32 / BLOCK)
	filter(const float *a, float *out, int taps, long long *cycles)
{
	float sum = 0;
	long long begin = clock64();
#pragma unroll 1
	for (int t = 0; t < TIMES; t += taps)
		for (int k = 0; k < taps; k++)
			sum += (CONSTANT ? words[k] : 1.5f) * a[threadIdx.x + k];
	if (threadIdx.x % 32 == 0)
		cycles[(blockIdx.x * BLOCK + threadIdx.x) / 32] = clock64() - begin;
	out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

static float *out, *a;
static long long *cycles;

template <bool CONSTANT> static void filter_measure(const char *name)
{
	static long long each[SMS * MOST_WARPS];
	for (int taps = 16; taps <= 1024; taps *= 2)
		for (int blocks = 1; blocks <= MOST_WARPS * 32 / BLOCK; blocks *= 2) {
			int warps = blocks * BLOCK / 32;
			double sum = 0;
			for (int turn = 0; turn < 2; turn++)
				filter<CONSTANT><<<SMS * blocks, BLOCK>>>(a, out, taps, cycles);
			cudaMemcpy(each, cycles, SMS * warps * sizeof *each, cudaMemcpyDeviceToHost);
			for (int w = 0; w < SMS * warps; w++)
				sum += (double)each[w] / (SMS * warps) / TIMES;
			printf("%s,%d,%d,%.2f,%.2f\n", name, taps * 4, warps, sum, sum / warps);
		}
}

/* Of tables of 256 bytes. */
template <class T, int PLACES> static void places_measure()
{
	static long long each[MOST_WARPS];
	for (int warps = 1; warps <= 32; warps *= 2) {
		double sum = 0;
		load_places<T, PLACES><<<SMS, warps * 32>>>(out, 256 / sizeof(T) - 1, 0, cycles);
		cudaMemcpy(each, cycles, sizeof each, cudaMemcpyDeviceToHost);
		for (int w = 0; w < warps; w++)
			sum += (double)each[w] / warps / TIMES;
		printf("\"%d bytes, %d places\",256,%d,%.2f,%.2f\n", (int)sizeof(T), PLACES, warps, sum, sum / warps);
	}
}

template <enum how HOW> static void measure(const char *name)
{
	static long long each[MOST_WARPS];
	for (int bytes = 256; bytes <= MOST * 4; bytes *= 2)
		for (int warps = 1; warps <= 32; warps *= 2) {
			double sum = 0;
			load<HOW><<<SMS, warps * 32>>>(out, bytes / 4 - 1, 0, cycles);
			cudaMemcpy(each, cycles, sizeof each, cudaMemcpyDeviceToHost);
			for (int w = 0; w < warps; w++)
				sum += (double)each[w] / warps / TIMES;
			printf("%s,%d,%d,%.2f,%.2f\n", name, bytes, warps, sum, sum / warps);
		}
}

int main()
{
	cudaMalloc(&out, SMS * MOST_WARPS * 32 * sizeof *out);
	cudaMalloc(&a, 2 * MOST * sizeof *a);
	cudaMemset(a, 0, 2 * MOST * sizeof *a);
	cudaMalloc(&cycles, SMS * MOST_WARPS * sizeof *cycles);
	printf("how,bytes,warps,cycles,sm_cycles\n");
	measure<UNIFORM>("uniform");
	measure<STRIDED>("every fourth");
	measure<REGISTER>("register");
	measure<LANES_2>("2 words");
	measure<LANES_4>("4 words");
	measure<LANES_32>("32 words");
	measure<KNOWN>("known");
	places_measure<unsigned char, 1>();
	places_measure<unsigned char, 4>();
	places_measure<unsigned char, 32>();
	places_measure<unsigned short, 2>();
	places_measure<float, 8>();
	places_measure<float2, 1>();
	places_measure<float2, 2>();
	places_measure<float2, 8>();
	places_measure<float2, 32>();
	places_measure<float4, 1>();
	places_measure<float4, 8>();
	filter_measure<false>("filter plain");
	filter_measure<true>("filter ULDC");
	return 0;
}
