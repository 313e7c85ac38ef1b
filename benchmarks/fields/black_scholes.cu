/*
 * European options priced by the formula of Black and Scholes, the normal distribution by the polynomial of Abramowitz and Stegun 26.2.17.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct option {
	float price, strike, years, call, put;
};

__device__ float normal(float d)
{
	float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
	float tail = 0.39894228f * expf(-0.5f * d * d) *
	             (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
	return d > 0.0f ? 1.0f - tail : tail;
}

__global__ void __launch_bounds__(128) price(option *options, float rate, float volatility, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float s = options[i].price, x = options[i].strike, t = options[i].years;
	float root = sqrtf(t);
	float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root), d2 = d1 - volatility * root;
	float discounted = x * expf(-rate * t);
	options[i].call = s * normal(d1) - discounted * normal(d2);
	options[i].put = discounted * normal(-d2) - s * normal(-d1);
}

int main()
{
	option *options;
	cudaMalloc(&options, (1 << 25) * sizeof(option));
	cudaMemset(options, 0, (1 << 25) * sizeof(option));
	price<<<2048, 128>>>(options, 0.02f, 0.3f, 262144);
	price<<<32768, 128>>>(options, 0.02f, 0.3f, 4194304);
	price<<<262144, 128>>>(options, 0.02f, 0.3f, 33554432);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
