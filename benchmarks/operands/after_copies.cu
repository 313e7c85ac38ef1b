// How long a kernel takes to read an array that a kernel, a memset or a copy on the device used before: what each leaves in the L2. copied.cu has
// copies from the host.
//
//     nvcc -O3 -arch=sm_90 -o after_copies after_copies.cu && ./after_copies >../measured/after-copies-h100.csv
#include <algorithm>
#include <cstdio>
#include <vector>
__global__ void total(const float4 *in, size_t n, float *out)
{
	float sum = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
		float4 v = __ldcg(in + i);
		sum += v.x + v.y + v.z + v.w;
	}
	if (sum == 1.5f)
		*out = sum;
}
int main()
{
	char *flush, *array;
	float *out;
	cudaEvent_t b, e;
	cudaEventCreate(&b);
	cudaEventCreate(&e);
	cudaMalloc(&flush, 256 << 20);
	cudaMalloc(&array, 64 << 20);
	cudaMalloc(&out, 4);
	printf("mebibytes,after,median_us,least_us\n");
	for (size_t mb : {1, 4, 8, 16, 24, 32, 48}) {
		size_t bytes = mb << 20;
		const char *names[] = {"nothing", "a kernel", "memset", "device copy into", "device copy from"};
		for (int how = 0; how < 5; how++) {
			std::vector<float> t;
			for (int r = 0; r < 9; r++) {
				total<<<1056, 256>>>((float4 *)flush, (256 << 20) / 16, out);
				if (how == 1)
					total<<<1056, 256>>>((float4 *)array, bytes / 16, out);
				if (how == 2)
					cudaMemset(array, 0, bytes);
				if (how == 3)
					cudaMemcpy(array, flush, bytes, cudaMemcpyDeviceToDevice);
				if (how == 4)
					cudaMemcpy(flush + (128 << 20), array, bytes, cudaMemcpyDeviceToDevice);
				cudaEventRecord(b);
				total<<<1056, 256>>>((float4 *)array, bytes / 16, out);
				cudaEventRecord(e);
				cudaEventSynchronize(e);
				float ms;
				cudaEventElapsedTime(&ms, b, e);
				t.push_back(ms * 1e3f);
			}
			std::sort(t.begin(), t.end());
			printf("%zu,%s,%.2f,%.2f\n", mb, names[how], t[4], t[0]);
		}
	}
}
