// What a launch takes whose arrays the L2 holds, by who used them before: read, stored to whole or word by word, filled by cudaMemset(), copied there and back.
//
//     nvcc -O3 -arch=sm_90 -o used used.cu && ./used BLOCKS      (512, 1024, ... 8192; arrays of 4 KiB for each block, and one of a quarter)
//
// Timed by CUPTI as ../public/measure.py does, --times-only, without anything flushed: ../measured/used-h200.csv
#include <cuda_runtime.h>
#include <cstdlib>
template <int TAG> __global__ void depth(const float *d, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = d[4 * i] - d[4 * i + 3];
}
template <int TAG> __global__ void total(const float *d, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = d[4 * i] - d[4 * i + 3];
	if (v == 1.5f) *out = v;
}
template <int TAG> __global__ void total4(const float4 *d, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = d[i];
	if (v.x + v.y + v.z + v.w == 1.5f) *out = v.x;
}
template <int TAG> __global__ void fill4(float4 *d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	d[i] = make_float4(i, 0, 0, 0);
}
template <int TAG> __global__ void fill(float *d)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	d[4 * i] = i; d[4 * i + 1] = 1; d[4 * i + 2] = 2; d[4 * i + 3] = 0;
}
template <int TAG> __global__ void copy4(const float4 *d, float4 *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = d[i];
}
int main(int argc, char **argv)
{
	int g = atoi(argv[1]), n = g * 256;
	float *a, *b, *c, *z;
	cudaMalloc(&a, n * 16); cudaMalloc(&b, n * 16); cudaMalloc(&c, n * 4); cudaMalloc(&z, 256 << 20);
	cudaMemset(a, 0, n * 16); cudaMemset(b, 0, n * 16); cudaMemset(c, 0, n * 4);
	for (int k = 0; k < 20; k++) depth<0><<<g, 256>>>(a, c);
	for (int k = 0; k < 20; k++) total<0><<<g, 256>>>(a, c);
	for (int k = 0; k < 20; k++) total4<0><<<g, 256>>>((float4 *)a, c);
	for (int k = 0; k < 20; k++) { fill4<1><<<g, 256>>>((float4 *)a); depth<1><<<g, 256>>>(a, c); }
	for (int k = 0; k < 20; k++) { fill4<2><<<g, 256>>>((float4 *)a); total<2><<<g, 256>>>(a, c); }
	for (int k = 0; k < 20; k++) { fill4<3><<<g, 256>>>((float4 *)a); total4<3><<<g, 256>>>((float4 *)a, c); }
	for (int k = 0; k < 20; k++) { fill<4><<<g, 256>>>(a); total4<4><<<g, 256>>>((float4 *)a, c); }
	for (int k = 0; k < 20; k++) { fill<5><<<g, 256>>>(a); total<5><<<g, 256>>>(a, c); total<6><<<g, 256>>>(a, c); }
	for (int k = 0; k < 20; k++) { cudaMemset(a, 0, n * 16); total4<7><<<g, 256>>>((float4 *)a, c); }
	for (int k = 0; k < 20; k++) { cudaMemset(z, 0, 256 << 20); fill<8><<<g, 256>>>(a); total<8><<<g, 256>>>(a, c); }
	for (int k = 0; k < 20; k++) { cudaMemset(z, 0, 256 << 20); fill4<9><<<g, 256>>>((float4 *)a); total<9><<<g, 256>>>(a, c); }
	for (int k = 0; k < 20; k++) copy4<10><<<g, 256>>>((float4 *)a, (float4 *)b);
	for (int k = 0; k < 20; k++) { copy4<11><<<g, 256>>>((float4 *)a, (float4 *)b); copy4<12><<<g, 256>>>((float4 *)b, (float4 *)a); }
	cudaDeviceSynchronize();
}
