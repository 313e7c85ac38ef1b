// args: --batch=8 --heads=16 --seq=1024
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <map>
struct Softmax { float max, sum; };
__global__ void row_stats(const float *scores, Softmax *stats, int seq)
{
    int row = blockIdx.x;
    __shared__ float red[32];
    float m = -1e30f;
    for (int c = threadIdx.x; c < seq; c += blockDim.x) m = fmaxf(m, scores[(size_t)row * seq + c]);
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = m;
    __syncthreads();
    m = red[0];
    for (int w = 1; w < blockDim.x / 32; w++) m = fmaxf(m, red[w]);
    float s = 0;
    for (int c = threadIdx.x; c < seq; c += blockDim.x) s += __expf(scores[(size_t)row * seq + c] - m);
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    __syncthreads();
    if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) s += red[w];
        stats[row].max = m;
        stats[row].sum = s;
    }
}
__global__ void normalise(float *scores, const Softmax *stats, int seq, size_t total)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= total) return;
    int row = i / seq;
    scores[i] = __expf(scores[i] - stats[row].max) / stats[row].sum;
}
static int option(int argc, char **argv, const char *name, int fallback)
{
    size_t len = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=') return atoi(argv[i] + len + 1);
    return fallback;
}
int main(int argc, char **argv)
{
    int batch = option(argc, argv, "--batch", 4), heads = option(argc, argv, "--heads", 8), seq = option(argc, argv, "--seq", 512);
    int rows = batch * heads * seq;
    size_t total = (size_t)rows * seq;
    float *scores; Softmax *stats;
    cudaMalloc(&scores, total * sizeof(float));
    cudaMalloc(&stats, rows * sizeof(Softmax));
    row_stats<<<rows, 128>>>(scores, stats, seq);
    normalise<<<(total + 255) / 256, 256>>>(scores, stats, seq, total);
    cudaDeviceSynchronize();
    return 0;
}
