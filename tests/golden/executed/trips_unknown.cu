// Loops whose ends lie in data: as many trips are assumed of the source's loop, however the compiler unrolls it.
#include <cuda_runtime.h>
__global__ void ends(const int *end, const float *val, float *out, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x; if (k >= n) return;
    float s = 0; int i = 0;
    while (i < end[k]) { s += val[i]; i++; }
    out[k] = s;
}
__global__ void rows(const int *start, const int *end, const float *val, float *out, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x; if (k >= n) return;
    float s = 0; int i = start[k];
    while (i < end[k]) { s += val[i]; i++; }
    out[k] = s;
}
__global__ void bits(const unsigned *mask, float *out, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x; if (k >= n) return;
    unsigned m = mask[k]; int c = 0;
    while (m) { c += m & 1; m >>= 1; }
    out[k] = c;
}
__global__ void divisor(const unsigned *a, const unsigned *b, unsigned *out, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x; if (k >= n) return;
    unsigned x = a[k], y = b[k]; while (y) { unsigned t = x % y; x = y; y = t; }
    out[k] = x;
}
__global__ void shared_walk(const int *count, float *out, int n) {
    __shared__ float tile[16]; if (threadIdx.x < 16) tile[threadIdx.x] = threadIdx.x; __syncthreads();
    int k = blockIdx.x * blockDim.x + threadIdx.x; if (k >= n) return;
    float s = 0;
    for (int i = 0; i < count[k]; i++) s += tile[i] * s;
    out[k] = s;
}
int main() {
    int n = 65536, *s, *e; float *v, *o; unsigned *a, *b;
    cudaMalloc(&s, n * 4); cudaMalloc(&e, n * 4); cudaMalloc(&v, n * 16); cudaMalloc(&o, n * 4); cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);
    ends<<<n / 256, 256>>>(e, v, o, n); rows<<<n / 256, 256>>>(s, e, v, o, n); bits<<<n / 256, 256>>>(a, o, n);
    divisor<<<n / 256, 256>>>(a, b, (unsigned *)s, n); shared_walk<<<n / 256, 256>>>(e, o, n); cudaDeviceSynchronize();
}
