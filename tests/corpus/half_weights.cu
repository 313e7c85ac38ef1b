// args: 768 3072
#include <cuda_fp16.h>
#include <cstdlib>
struct QuantBlock { half scale; unsigned char nibbles[16]; };
__global__ void dequantize(const QuantBlock *blocks, half *out, int count)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= count) return;
    float scale = __half2float(blocks[b].scale);
    for (int k = 0; k < 16; k++) {
        unsigned char packed = blocks[b].nibbles[k];
        out[b * 32 + k] = __float2half(scale * ((packed & 15) - 8));
        out[b * 32 + 16 + k] = __float2half(scale * ((packed >> 4) - 8));
    }
}
int main(int argc, char **argv)
{
    int rows = atoi(argv[1]), columns = atoi(argv[2]), count = rows * columns / 32;
    QuantBlock *blocks;
    half *out;
    cudaMalloc(&blocks, count * sizeof(QuantBlock));
    cudaMalloc(&out, rows * columns * sizeof(half));
    dequantize<<<(count + 255) / 256, 256>>>(blocks, out, count);
    cudaDeviceSynchronize();
}
