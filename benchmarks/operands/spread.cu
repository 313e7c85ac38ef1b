/* Sectors in random order, of a set whose lines lie n lines apart: members of tiles of records. */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define THREADS 256
static __global__ void __launch_bounds__(THREADS) read_sectors(const char *base, unsigned count, unsigned lines, unsigned *sink)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	unsigned x = i;
	x = (x ^ (x >> 16)) * 0x7feb352du;
	x = (x ^ (x >> 15)) * 0x846ca68bu;
	x ^= x >> 16;
	unsigned s = x & (count - 1);
	unsigned v = *(const unsigned *)(base + ((size_t)(s >> 2) * lines * 128 + (s & 3) * 32));
	if (v == 12345)
		*sink = v;
}
__global__ void flush(float *f, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		f[i] = i;
}
int main()
{
	char *p;
	float *f;
	cudaMalloc(&p, (size_t)16 << 30);
	cudaMalloc(&f, 256 << 20);
	cudaMemset(p, 0, (size_t)16 << 30);
	cudaEvent_t a, b;
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	printf("after,set_mib,lines_apart,accesses,us,sectors_per_second\n");
	for (int warm = 0; warm < 2; warm++)
	for (size_t mb = 2; mb <= 512; mb *= 2)
		for (unsigned lines : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) {
			if (mb * lines > 16384) continue;
			unsigned count = mb << 15, n = 1 << 24;
			std::vector<float> t;
			for (int r = 0; r < 7; r++) {
				if (!warm) flush<<<1024, 256>>>(f, 60 << 20);
				else read_sectors<<<n / THREADS, THREADS>>>(p, count, lines, (unsigned *)f);
				cudaEventRecord(a);
				read_sectors<<<n / THREADS, THREADS>>>(p, count, lines, (unsigned *)f);
				cudaEventRecord(b);
				cudaEventSynchronize(b);
				float ms;
				cudaEventElapsedTime(&ms, a, b);
				t.push_back(ms * 1e3f);
			}
			std::sort(t.begin(), t.end());
			printf("%s,%zu,%u,%u,%.1f,%.4g\n", warm ? "the same" : "a kernel that writes 240 MB", mb, lines, n, t[3], n / t[3] * 1e6);
		}
}
