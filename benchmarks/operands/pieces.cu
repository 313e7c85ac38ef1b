/*
 * Matrices of floats that are filled, or copied to, in pieces: blocks of 256 threads take tiles of so many words a row, of which each warp stores a piece of 1 to 32 words in each of its rows, as transpositions do. Warps of a block
 * store to the same lines one after the other.
 *
 *     nvcc -O3 -arch=sm_90 -o pieces pieces.cu; ./pieces >pieces.csv
 *
 * Prints CSV: words of a piece, words of a tile's row, copied or filled, rows and columns of the matrix, microseconds after itself and after 256 MiB were written, the least of five: benchmarks/measured/pieces-h100.csv. Sectors that
 * the SMs send to the L2: ncu --metrics l1tex__m_l1tex2xbar_write_sectors.sum.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

#define THREADS 256
#define MOST_ROWS 4096
#define FLUSHED (256 << 20)

template <int PIECE, int ROW, bool COPY> __global__ void __launch_bounds__(THREADS) store(float *to, int n, const float *from)
{
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, across = ROW / PIECE;
	const int row = blockIdx.x * (THREADS / ROW) + warp / across * (32 / PIECE) + lane / PIECE,
		  column = blockIdx.y * ROW + warp % across * PIECE + lane % PIECE;
	float value = 1.5f;
	if (COPY)
		value = from[(blockIdx.y * gridDim.x + blockIdx.x) * THREADS + threadIdx.x];
	to[row * n + column] = value;
}

static float *to, *from, *flushed;

template <int PIECE, int ROW, bool COPY> static void measure()
{
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int n = 1024; n <= MOST_ROWS; n *= 2) {
		float least[2] = {1e9f, 1e9f}, ms;
		for (int i = 0; i < 10; i++) {
			if (i % 2)
				cudaMemset(flushed, i, FLUSHED);
			cudaEventRecord(begin);
			store<PIECE, ROW, COPY><<<dim3(n / (THREADS / ROW), n / ROW), THREADS>>>(to, n, from);
			cudaEventRecord(end);
			cudaEventSynchronize(end);
			cudaEventElapsedTime(&ms, begin, end);
			least[i % 2] = std::min(least[i % 2], ms);
		}
		printf("%d,%d,%s,%d,%.1f,%.1f\n", PIECE, ROW, COPY ? "copied" : "filled", n, least[0] * 1e3, least[1] * 1e3);
	}
}

template <bool COPY> static void measure_all()
{
	measure<1, 8, COPY>();
	measure<2, 8, COPY>();
	measure<8, 8, COPY>();
	measure<2, 16, COPY>();
	measure<4, 16, COPY>();
	measure<8, 16, COPY>();
	measure<16, 16, COPY>();
}

int main()
{
	const size_t bytes = sizeof(float) * MOST_ROWS * MOST_ROWS;
	cudaMalloc(&to, bytes);
	cudaMalloc(&from, bytes);
	cudaMalloc(&flushed, FLUSHED);
	cudaMemset(from, 0, bytes);
	printf("piece,row,what,rows,again_us,flushed_us\n");
	measure_all<false>();
	measure_all<true>();
	return 0;
}
