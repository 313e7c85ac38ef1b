// args: 128 50
#include <iostream>
#include <cstdlib>
#include <functional>
struct Unknown { double x, r, p, ap; };
__global__ void apply(Unknown *u, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
    if (i >= n || j >= n) return;
    size_t c = ((size_t)k * n + j) * n + i;
    double s = 6 * u[c].p;
    if (i > 0) s -= u[c - 1].p;
    if (i < n - 1) s -= u[c + 1].p;
    if (j > 0) s -= u[c - n].p;
    if (j < n - 1) s -= u[c + n].p;
    if (k > 0) s -= u[c - (size_t)n * n].p;
    if (k < n - 1) s -= u[c + (size_t)n * n].p;
    u[c].ap = s;
}
__global__ void axpy(Unknown *u, double alpha, size_t total)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < total; i += (size_t)blockDim.x * gridDim.x) {
        u[i].x += alpha * u[i].p;
        u[i].r -= alpha * u[i].ap;
    }
}
static double timed(const char *name, const std::function<void()> &body)
{
    cudaEvent_t a, b;
    cudaEventCreate(&a); cudaEventCreate(&b);
    cudaEventRecord(a);
    body();
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    std::cout << name << " " << ms << " ms\n";
    return ms;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? std::atoi(argv[1]) : 64, iterations = argc > 2 ? std::atoi(argv[2]) : 10;
    size_t total = (size_t)n * n * n;
    Unknown *u;
    cudaMalloc(&u, total * sizeof(Unknown));
    dim3 block(32, 4), grid((n + 31) / 32, (n + 3) / 4, n);
    timed("cg", [&] {
        for (int it = 0; it < iterations; ++it) {
            apply<<<grid, block>>>(u, n);
            axpy<<<1024, 256>>>(u, 0.5, total);
        }
    });
}
