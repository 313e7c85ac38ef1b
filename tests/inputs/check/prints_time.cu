// same: status 0, 4 lines of output, and 1 copy to the host
// Times and seeds are not what is compared.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
struct body {
	float x, y, z;
};

__global__ void step(body *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += p[i].y * p[i].z;
}

int main()
{
	const int n = 40;
	static body h[n];
	body *d;
	float milliseconds;
	cudaEvent_t begin, end;
	srand(time(NULL));
	for (int i = 0; i < n; i++)
		h[i] = {1.0f * (rand() % 100), 2, 3};
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	auto start = std::chrono::steady_clock::now();
	cudaMalloc(&d, n * sizeof(body));
	cudaEventRecord(begin);
	cudaMemcpy(d, h, n * sizeof(body), cudaMemcpyHostToDevice);
	step<<<1, 64>>>(d, n);
	cudaMemcpy(h, d, n * sizeof(body), cudaMemcpyDeviceToHost);
	cudaEventRecord(end);
	cudaEventSynchronize(end);
	cudaEventElapsedTime(&milliseconds, begin, end);
	std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
	printf("GPU   %9.6f ms\nhost %10.9f s, %g clocks\n", milliseconds, whole.count(), (double)clock());
	printf("%g %g\n", h[1].x, h[2].x);
	printf("done\n");
	cudaFree(d);
	return 0;
}
