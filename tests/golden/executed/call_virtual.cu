// Virtual functions of objects that are known, and of objects in memory.
#include <cuda_runtime.h>
struct item { float a, b, c, d; };
struct shape { __device__ virtual float area(const item *p, int i) const = 0; };
struct square : shape { __device__ float area(const item *p, int i) const override { return p[i].a * p[i].a; } };
struct box : shape { __device__ float area(const item *p, int i) const override { return p[i].a * p[i].b; } };
__global__ void measure(const item *p, float *out, int n, int kind) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    square s; box b; const shape *one = kind ? (const shape *)&s : (const shape *)&b;
    if (i < n) out[i] = one->area(p, i);
}
__global__ void make(shape **all) { all[0] = new square; all[1] = new box; }
__global__ void use(shape **all, const item *p, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = all[i & 1]->area(p, i);
}
int main() {
    int n = 1 << 20; item *t; float *o; shape **a; cudaMalloc(&t, n * sizeof(item)); cudaMalloc(&o, n * 4); cudaMalloc(&a, 16);
    measure<<<n / 256, 256>>>(t, o, n, 1); make<<<1, 1>>>(a); use<<<n / 256, 256>>>(a, t, o, n); cudaDeviceSynchronize();
}
