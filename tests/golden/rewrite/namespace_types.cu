// A member whose type stands in the namespace of the kernels.
#include <stdio.h>
#define N 41

namespace market {
namespace {

enum kind { CALL, PUT };

struct option {
	float strike;
	kind what;
};

__global__ void scale(option *options, float by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N && options[i].what == PUT)
		options[i].strike *= by;
}

} // namespace
} // namespace market

int main(void)
{
	static market::option host[N];
	market::option *options;

	for (int i = 0; i < N; i++)
		host[i] = market::option{0.5f * i, i % 2 ? market::PUT : market::CALL};
	cudaMalloc(&options, sizeof(host));
	cudaMemcpy(options, host, sizeof(host), cudaMemcpyHostToDevice);
	market::scale<<<2, 32>>>(options, 3);
	cudaMemcpy(host, options, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %d\n", host[i].strike, host[i].what);
	cudaFree(options);
	return 0;
}
