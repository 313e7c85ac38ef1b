#include <functional>
#include <memory>
struct P { float x, y; };
template <typename F> __global__ void each(P *p, int n, F f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x = f(p[i].y); }
struct Twice { __device__ float operator()(float a) const { return 2 * a; } };
namespace { struct Hidden { float u, v; }; template <typename T> __global__ void h(T *p) { p[threadIdx.x].u = p[threadIdx.x].v; } }
int main() { P *p; cudaMalloc(&p, 8192); each<<<4, 256>>>(p, 1024, Twice()); Hidden *q; cudaMalloc(&q, 8192); h<<<1, 256>>>(q); h<Hidden><<<1, 256>>>(q); }
