// args: 1048576
#include <cstdio>
#include <cstdlib>
struct Pair { int low, high; };
__global__ void merge_step(Pair *pairs, int n, int stride)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2 * stride;
    if (i + stride < n) {
        pairs[i].low = min(pairs[i].low, pairs[i + stride].low);
        pairs[i].high = max(pairs[i].high, pairs[i + stride].high);
    }
}
int main(int argc, char **argv)
{
    int n = argc == 2 ? atoi(argv[1]) : 4096;
    Pair *pairs;
    cudaMalloc(&pairs, n * sizeof(Pair));
    for (int stride = 1; stride < n; stride *= 2) {
        int threads = n / (2 * stride);
        int block = threads < 256 ? threads : 256;
        merge_step<<<(threads + block - 1) / block, block>>>(pairs, n, stride);
    }
    cudaDeviceSynchronize();
}
