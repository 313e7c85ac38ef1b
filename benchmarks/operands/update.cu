// What launches that follow themselves take by the bytes that they use: an array updated in place, one read into another, one only read.
//
//     nvcc -O3 -arch=sm_90 -o update update.cu && ./update
//
// Prints CSV: kernel, MiB of all arrays, microseconds a launch of 20 that follow each other, the median of five rounds.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void update(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = a[i] * 0.5f + 1.0f;
}

__global__ void pass(const float *__restrict__ a, float *__restrict__ b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i] = a[i] * 0.5f + 1.0f;
}

__global__ void total(const float *__restrict__ a, float *__restrict__ b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && a[i] == 3.25f)
		b[0] = 1;
}

__global__ void wide(float4 *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float4 v = a[i];
		a[i] = make_float4(v.x * 0.5f, v.y * 0.5f, v.z * 0.5f, v.w * 0.5f);
	}
}

int main()
{
	const size_t most = 128u << 20;
	float *a, *b;
	cudaMalloc(&a, most);
	cudaMalloc(&b, most);
	cudaMemset(a, 0, most);
	cudaMemset(b, 0, most);
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	printf("kernel,mib,us\n");
	for (int kernel = 0; kernel < 5; kernel++)
		for (int mib : {4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 56, 64, 80, 96, 128}) {
			static const char *names[] = {"update", "pass", "total", "wide", "pingpong"};
			bool two = kernel == 1 || kernel == 4;
			int n = (int)(((size_t)mib << 20) / 4 / (two ? 2 : 1)), grid = (n + 255) / 256;
			std::vector<float> rounds;
			for (int r = 0; r < 5; r++) {
				cudaEventRecord(begin);
				for (int l = 0; l < 20; l++) {
					if (kernel == 0)
						update<<<grid, 256>>>(a, n);
					if (kernel == 1)
						pass<<<grid, 256>>>(a, b, n);
					if (kernel == 2)
						total<<<grid, 256>>>(a, b, n);
					if (kernel == 3)
						wide<<<grid / 4, 256>>>((float4 *)a, n / 4);
					if (kernel == 4)
						l % 2 ? pass<<<grid, 256>>>(b, a, n) : pass<<<grid, 256>>>(a, b, n);
				}
				cudaEventRecord(end);
				cudaEventSynchronize(end);
				float ms;
				cudaEventElapsedTime(&ms, begin, end);
				rounds.push_back(ms * 1000 / 20);
			}
			std::sort(rounds.begin(), rounds.end());
			printf("%s,%d,%.2f\n", names[kernel], mib, rounds[2]);
		}
	return cudaDeviceSynchronize() != cudaSuccess;
}
