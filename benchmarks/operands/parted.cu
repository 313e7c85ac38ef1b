/*
 * Two of three, four or eight words of records stored, after loads of the record's own words, of scattered ones within 1024 records, or none: what becomes one on the way to the L2, and what it reads to complete the
 * sectors. Run once under Nsight Compute, with clocks and caches left alone; benchmarks/measured/parted-h200.csv has a line for each launch: each finds in the L2 what the one before it left, so that launches of 2 M records read less than
 * one after a flush.
 *
 *     ncu --clock-control none --cache-control none --csv --print-units base --page raw --metrics \
 *         gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum,l1tex__m_l1tex2xbar_write_sectors.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum ./parted
 */
#include <cstdio>
#include <cuda_runtime.h>
struct r12 { float a, b, c; };
struct r16 { float a, b, c, d; };
struct r32 { float a, b, c, d, e, f, g, h; };
enum { SCATTER, OWN, NONE };
template <typename R> __device__ int place(int i, int mode) { return mode == SCATTER ? (i & ~1023) + ((i * 389 + 71) & 1023) : i; }
/* two members of a record are stored */
template <typename R, int MODE, int LOADS, int BLOCK> __global__ void __launch_bounds__(BLOCK) two(const R *p, R *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	int j = place<R>(i, MODE);
	float x = 0.25f;
	if (MODE != NONE) {
		x += 0.75f * p[j].a;
		if (LOADS > 1) x += 1.25f * p[j].b;
		if (LOADS > 2) x += 1.25f * p[j].c;
	}
	q[i].a = x * 0.5f;
	q[i].c = x * 0.75f;
}
template <typename R, int MODE, int LOADS, int BLOCK> static void run(const void *p, void *q, int n)
{
	two<R, MODE, LOADS, BLOCK><<<n / BLOCK, BLOCK>>>((const R *)p, (R *)q, n);
}
int main()
{
	void *p, *q;
	size_t bytes = (size_t)8388608 * 32;
	cudaMalloc(&p, bytes); cudaMemset(p, 0, bytes);
	cudaMalloc(&q, bytes); cudaMemset(q, 0, bytes);
	for (int n = 2097152; n <= 8388608; n *= 4) {
		run<r12, SCATTER, 3, 128>(p, q, n); run<r12, SCATTER, 3, 256>(p, q, n); run<r12, SCATTER, 3, 1024>(p, q, n);
		run<r12, SCATTER, 1, 128>(p, q, n); run<r12, SCATTER, 1, 256>(p, q, n); run<r12, SCATTER, 1, 1024>(p, q, n);
		run<r12, OWN, 3, 128>(p, q, n); run<r12, OWN, 3, 256>(p, q, n); run<r12, OWN, 3, 1024>(p, q, n);
		run<r12, OWN, 1, 128>(p, q, n); run<r12, OWN, 1, 256>(p, q, n); run<r12, OWN, 1, 1024>(p, q, n);
		run<r12, NONE, 1, 128>(p, q, n); run<r12, NONE, 1, 256>(p, q, n); run<r12, NONE, 1, 1024>(p, q, n);
		run<r16, SCATTER, 3, 128>(p, q, n); run<r16, SCATTER, 3, 256>(p, q, n); run<r16, SCATTER, 3, 1024>(p, q, n);
		run<r16, OWN, 3, 128>(p, q, n); run<r16, OWN, 3, 256>(p, q, n); run<r16, OWN, 3, 1024>(p, q, n);
		run<r16, OWN, 1, 128>(p, q, n); run<r16, OWN, 1, 256>(p, q, n);
		run<r16, NONE, 1, 128>(p, q, n); run<r16, NONE, 1, 256>(p, q, n); run<r16, NONE, 1, 1024>(p, q, n);
		run<r32, SCATTER, 3, 128>(p, q, n); run<r32, SCATTER, 3, 256>(p, q, n);
		run<r32, OWN, 3, 128>(p, q, n); run<r32, OWN, 3, 256>(p, q, n); run<r32, OWN, 1, 256>(p, q, n); 
		run<r32, NONE, 1, 128>(p, q, n); run<r32, NONE, 1, 256>(p, q, n);
	}
	cudaError_t e = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
