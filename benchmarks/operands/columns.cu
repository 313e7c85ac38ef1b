/*
 * Sums over 2 R + 1 rows of an image of floats, of which blocks of 32 x 8 share most: by a block for each tile, or by resident blocks that take one tile after the other; with the sums stored or not; what lies in the L2 before, and what
 * does not; by fewer blocks of an SM at a time. Time goes up with R long before any unit is busy: what reading, storing and issuing take is not hidden behind each other.
 *
 *     nvcc -O3 -arch=sm_90 -o columns columns.cu; ./columns >columns.csv
 *
 * Prints CSV: tiles by, stored, R, rows of the image, blocks of an SM at most, microseconds cold and warm, the least of seven: benchmarks/measured/columns-h100.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#define WIDTH 4096
#define MOST_ROWS 15000
#define FLUSHED (256 << 20)
#define MOST_BLOCKS 8      /* of an SM at a time */
#define SHARED (227 << 10) /* of an SM */
#define RESERVED (1 << 10) /* of that beside what a block asks for */

template <int R> __device__ void tile_sum(const float *a, float *b, int n, int tile, bool store)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = tile * 8 + threadIdx.y + R;
	float sum = 0;
	for (int k = -R; k <= R; k++)
		sum += 0.06f * a[(y + k) * n + x];
	if (store || sum == 0.125f)
		b[y * n + x] = sum;
}

template <int R, bool STORE> __global__ void __launch_bounds__(256) by_block(const float *a, float *b, int n)
{
	tile_sum<R>(a, b, n, blockIdx.y, STORE);
}

template <int R, bool STORE> __global__ void __launch_bounds__(256) by_loop(const float *a, float *b, int n, int tiles)
{
	for (int tile = blockIdx.y; tile < tiles; tile += gridDim.y)
		tile_sum<R>(a, b, n, tile, STORE);
}

static float *a, *b, *flushed;

/* blocks: of an SM at a time at most, by the shared memory that each is given. */
template <int R, bool STORE> static void measure(bool loop, int rows, int blocks)
{
	const int shared = blocks < MOST_BLOCKS ? SHARED / blocks - RESERVED : 0;
	float least[2] = {1e9f, 1e9f}, ms;
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	cudaFuncSetAttribute(by_block<R, STORE>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
	for (int i = 0; i < 14; i++) {
		if (i % 2 == 0)
			cudaMemset(flushed, i, FLUSHED);
		cudaEventRecord(begin);
		if (loop)
			by_loop<R, STORE><<<dim3(WIDTH / 32, 8), dim3(32, 8)>>>(a, b, WIDTH, rows / 8);
		else
			by_block<R, STORE><<<dim3(WIDTH / 32, rows / 8), dim3(32, 8), shared>>>(a, b, WIDTH);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		least[i % 2] = std::min(least[i % 2], ms);
	}
	printf("%s,%d,%d,%d,%d,%.1f,%.1f\n", loop ? "loop" : "block", STORE, R, rows, blocks, least[0] * 1e3, least[1] * 1e3);
}

template <int R> static void measure_all()
{
	static const int rows[] = {1024, 4096, MOST_ROWS};
	for (int each : rows)
		for (int loop = 0; loop < 2; loop++) {
			measure<R, false>(loop, each, MOST_BLOCKS);
			measure<R, true>(loop, each, MOST_BLOCKS);
		}
	for (int blocks = MOST_BLOCKS - 1; blocks > 2; blocks--) {
		measure<R, false>(false, rows[1], blocks);
		measure<R, true>(false, rows[1], blocks);
	}
}

int main()
{
	const size_t bytes = sizeof(float) * WIDTH * (MOST_ROWS + 32);
	cudaMalloc(&a, bytes);
	cudaMalloc(&b, bytes);
	cudaMalloc(&flushed, FLUSHED);
	cudaMemset(a, 0, bytes);
	printf("tiles,stored,radius,rows,blocks,cold_us,warm_us\n");
	measure_all<0>();
	measure_all<2>();
	measure_all<4>();
	measure_all<8>();
	return 0;
}
