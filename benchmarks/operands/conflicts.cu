/*
 * Loads of 1 to 32 passes, from the L1 or shared memory, by warps of one block, each of which loads 1 to 16 times at once and then adds up what came: cycles of such a round, by which warps there are.
 *
 *     nvcc -O3 -arch=sm_90 -o conflicts conflicts.cu; ./conflicts >conflicts.csv
 *
 * Prints CSV: where from, words of a lane's load, loads of a round, words from lane to lane, which warps (of schedulers, those whose number is the same modulo four share one), how many, cycles of a round:
 * benchmarks/measured/conflicts-h100.csv (a tidied copy of the program that was run).
 */
#include <cstdio>
#include <cuda_runtime.h>

#define ROUNDS 256
#define THREADS 512
#define ELSEWHERE 1024 /* words: each second round loads from there, so that no load stands before the loop */
#define SHARED_BYTES 33000

static __device__ __forceinline__ void add(float &sum, float x)
{
	asm volatile("add.f32 %0,%0,%1;" : "+f"(sum) : "f"(x));
}

template <int LOADS, int WORDS, bool SHARED> static __global__ void __launch_bounds__(THREADS) load(const float *p, int stride, unsigned active, float *out, long long *cycles)
{
	extern __shared__ float shared[];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	for (int i = threadIdx.x; i < SHARED_BYTES / 4; i += blockDim.x)
		shared[i] = 0;
	__syncthreads();
	if (!(active >> warp & 1))
		return;
	const float *global = p + lane * stride;
	unsigned near = (unsigned)__cvta_generic_to_shared(shared + lane * stride);
	float sum = 0;
	for (int turn = 0; turn < 2; turn++) {
		long long begin = clock64();
#pragma unroll 1
		for (int r = 0; r < ROUNDS; r++) {
			float v[LOADS][WORDS];
			const float *from = global + (r & 1) * ELSEWHERE;
			unsigned near_from = near + (r & 1) * ELSEWHERE * 4;
#pragma unroll
			for (int i = 0; i < LOADS; i++) {
				float *to = v[i];
				if (SHARED && WORDS == 1)
					asm volatile("ld.shared.f32 %0,[%1];" : "=f"(to[0]) : "r"(near_from + i * 16));
				else if (SHARED)
					asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(to[0]), "=f"(to[1 % WORDS]), "=f"(to[2 % WORDS]), "=f"(to[3 % WORDS]) : "r"(near_from + i * 16));
				else if (WORDS == 1)
					asm volatile("ld.global.f32 %0,[%1];" : "=f"(to[0]) : "l"(from + i * 4));
				else
					asm volatile("ld.global.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(to[0]), "=f"(to[1 % WORDS]), "=f"(to[2 % WORDS]), "=f"(to[3 % WORDS]) : "l"(from + i * 4));
			}
#pragma unroll
			for (int i = 0; i < LOADS; i++)
#pragma unroll
				for (int w = 0; w < WORDS; w++)
					add(sum, v[i][w]);
		}
		if (lane == 0)
			cycles[warp] = clock64() - begin;
	}
	out[threadIdx.x] = sum;
}

static float *p, *out;
static long long *cycles;

template <int LOADS, int WORDS, bool SHARED> static void measure()
{
	static const struct {
		unsigned active;
		const char *name;
	} warps[] = {{1, "one"}, {3, "two"}, {0x11, "same2"}, {0xf, "four"}, {0x1111, "same4"}, {0x33, "two2"}, {0xff, "eight"}, {0xffff, "sixteen"}};
	for (int stride = 0; stride <= 32; stride = stride ? 2 * stride : 1)
		for (auto &who : warps) {
			long long each[THREADS / 32];
			double sum = 0;
			int count = 0;
			if (WORDS == 4 && stride % 4)
				continue;
			load<LOADS, WORDS, SHARED><<<1, THREADS, SHARED_BYTES>>>(p, stride, who.active, out, cycles);
			cudaMemcpy(each, cycles, sizeof each, cudaMemcpyDeviceToHost);
			for (int w = 0; w < THREADS / 32; w++)
				if (who.active >> w & 1) {
					sum += each[w];
					count++;
				}
			printf("%s,%d,%d,%d,%s,%d,%.1f\n", SHARED ? "shared" : "global", WORDS, LOADS, stride, who.name, count, sum / count / ROUNDS);
		}
}

int main()
{
	cudaMalloc(&p, 1 << 20);
	cudaMemset(p, 0, 1 << 20);
	cudaMalloc(&out, THREADS * sizeof *out);
	cudaMalloc(&cycles, THREADS / 32 * sizeof *cycles);
	printf("space,words,loads,stride,who,warps,cycles\n");
	measure<1, 1, false>();
	measure<2, 1, false>();
	measure<3, 1, false>();
	measure<4, 1, false>();
	measure<6, 1, false>();
	measure<8, 1, false>();
	measure<12, 1, false>();
	measure<16, 1, false>();
	measure<1, 4, false>();
	measure<2, 4, false>();
	measure<4, 4, false>();
	measure<8, 4, false>();
	measure<12, 4, false>();
	measure<1, 1, true>();
	measure<2, 1, true>();
	measure<4, 1, true>();
	measure<8, 1, true>();
	measure<1, 4, true>();
	measure<4, 4, true>();
	measure<8, 4, true>();
	return 0;
}
