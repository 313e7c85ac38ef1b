// args: 4194304
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;
struct Reading { float value; int valid; };
__global__ void sumValid(const Reading *readings, float *total, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        if (readings[i].valid) sum += readings[i].value;
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0) atomicAdd(total, sum);
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    Reading *readings;
    float *total;
    cudaMalloc(&readings, sizeof(Reading) * n);
    cudaMalloc(&total, sizeof(float));
    int blocks = 0, threads = 256;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sumValid, threads, 0);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    sumValid<<<blocks * prop.multiProcessorCount, threads>>>(readings, total, n);
    cudaDeviceSynchronize();
}
