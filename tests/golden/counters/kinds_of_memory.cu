// Shared memory with bank conflicts, atomic operations with and without a result that is used, local memory.
#include <cuda_runtime.h>
__global__ void conflicts(const float *in, float *out, int n) {
    __shared__ float tile[32][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x & 31][threadIdx.x >> 5] = in[i]; __syncthreads();
    out[i] = tile[threadIdx.x >> 5][threadIdx.x & 31];
}
__global__ void histogram(const int *in, int *out, int n) {
    __shared__ int bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] & 255], 1); __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&out[b], bins[b]);
}
__global__ void used(int *counter, int *out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = atomicAdd(&counter[i & 1023], 1); }
__global__ void unused(float *sum, const float *in) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&sum[i & 1023], in[i]); }
__global__ void spills(const int *in, int *out, int n) {
    int t[64]; int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 64; k++) t[k] = in[i] * k;
    int s = 0; for (int k = 0; k < 64; k++) s += t[(k * s + in[k]) & 63];
    out[i] = s;
}
struct rec { float a, b, c; int d; };
__global__ void records(rec *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; __shared__ rec s[256]; s[threadIdx.x] = p[i]; __syncthreads(); atomicAdd(&p[(i + 1) & (n - 1)].d, s[255 - threadIdx.x].d); p[i].a = s[255 - threadIdx.x].b; }
int main() { int n = 1 << 20; int *a, *b; float *f, *g; rec *p; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&f, n * 4); cudaMalloc(&g, n * 4); cudaMalloc(&p, n * sizeof(rec));
 conflicts<<<n / 1024, 1024>>>(f, g, n); histogram<<<n / 256, 256>>>(a, b, n); used<<<n / 256, 256>>>(a, b); unused<<<n / 256, 256>>>(f, g); spills<<<n / 256, 256>>>(a, b, n); records<<<n / 256, 256>>>(p, n); cudaDeviceSynchronize(); }
