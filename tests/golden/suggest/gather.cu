// Three arrays are gathered alike: one record is faster, and how much so is said.
#include <cuda_runtime.h>
__global__ void force(const float *x, const float *y, const float *z, const int *near, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int j = near[i];
        out[i] = x[j] * x[j] + y[j] * y[j] + z[j] * z[j];
    }
}
int main()
{
    const int n = 1 << 20;
    float *x, *y, *z, *out; int *near;
    cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMalloc(&z, n * 4); cudaMalloc(&out, n * 4); cudaMalloc(&near, n * 4);
    force<<<n / 256, 256>>>(x, y, z, near, out, n);
}
