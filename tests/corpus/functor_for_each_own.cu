// args: 3000000
#include <cstdio>
#include <cstdlib>
struct Quad { float a, b, c, root; };
struct SolveQuadratic {
    float eps;
    __device__ void operator()(Quad &q) const
    {
        float d = q.b * q.b - 4.0f * q.a * q.c;
        q.root = d > eps ? (-q.b + sqrtf(d)) / (2.0f * q.a) : 0.0f;
    }
};
struct Rescale {
    float f;
    __device__ void operator()(Quad &q) { q.a *= f; q.b *= f; q.c *= f; }
};
template <typename T, typename F> __global__ void for_each_kernel(T *data, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(data[i]);
}
template <typename T, typename F> void for_each(T *data, int n, F f)
{
    const int block = 256;
    for_each_kernel<<<(n + block - 1) / block, block>>>(data, n, f);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
    Quad *q;
    cudaMalloc(&q, n * sizeof(Quad));
    for_each(q, n, Rescale{0.5f});
    for_each(q, n, SolveQuadratic{1e-6f});
    cudaDeviceSynchronize();
    cudaFree(q);
    return 0;
}
