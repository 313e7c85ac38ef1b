// args: 1000000
#include <cstdlib>
struct Token { unsigned short id; unsigned char kind, length; };
__device__ unsigned int histogram[65536];
__device__ __constant__ unsigned char classes[256];
__global__ void count(const Token *tokens, int n)
{
    const int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        if (classes[tokens[i].kind]) atomicAdd(&histogram[tokens[i].id], 1u);
}
int main(int argc, char **argv)
{
    int n = (argc > 1) ? atoi(argv[1]) : 1000;
    Token *tokens;
    cudaMalloc(&tokens, n * sizeof(Token));
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int blocks = p.multiProcessorCount * (p.maxThreadsPerMultiProcessor / 256);
    count<<<blocks, 256>>>(tokens, n);
    cudaDeviceSynchronize();
}
