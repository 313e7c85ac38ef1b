// args: 16777216
#include <cstdio>
#include <cstdlib>
#include <algorithm>
struct MinMaxSum { float lo, hi; double sum; };
__global__ void first(const float *in, MinMaxSum *out, size_t n)
{
    __shared__ MinMaxSum tile[256];
    MinMaxSum acc = {1e30f, -1e30f, 0.0};
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        float v = in[i];
        acc.lo = fminf(acc.lo, v); acc.hi = fmaxf(acc.hi, v); acc.sum += v;
    }
    tile[threadIdx.x] = acc;
    __syncthreads();
    for (int s = 128; s > 0; s >>= 1) {
        if (threadIdx.x < s) {
            tile[threadIdx.x].lo = fminf(tile[threadIdx.x].lo, tile[threadIdx.x + s].lo);
            tile[threadIdx.x].hi = fmaxf(tile[threadIdx.x].hi, tile[threadIdx.x + s].hi);
            tile[threadIdx.x].sum += tile[threadIdx.x + s].sum;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}
__global__ void next(const MinMaxSum *in, MinMaxSum *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    MinMaxSum a = {1e30f, -1e30f, 0.0};
    for (int k = i * 4; k < i * 4 + 4 && k < n; k++) {
        a.lo = fminf(a.lo, in[k].lo); a.hi = fmaxf(a.hi, in[k].hi); a.sum += in[k].sum;
    }
    if (i * 4 < n) out[i] = a;
}
int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1 << 20;
    const int threads = 256;
    int blocks = (int)std::min<size_t>(1024, (n + threads - 1) / threads);
    float *in; MinMaxSum *a, *b;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&a, blocks * sizeof(MinMaxSum));
    cudaMalloc(&b, blocks * sizeof(MinMaxSum));
    first<<<blocks, threads>>>(in, a, n);
    int left = blocks;
    while (left > 1) {
        int groups = (left + 3) / 4;
        next<<<(groups + 63) / 64, 64>>>(a, b, left);
        std::swap(a, b);
        left = groups;
    }
    MinMaxSum r;
    cudaMemcpy(&r, a, sizeof r, cudaMemcpyDeviceToHost);
    printf("%f %f %f\n", r.lo, r.hi, r.sum);
}
