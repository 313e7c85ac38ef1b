// A record packed by a pragma, v at byte 1: the file gets its verdict, of the record that can be laid out anew.
#include <cuda_runtime.h>
#pragma pack(push, 1)
struct packed { char tag; float v; double w; };
#pragma pack(pop)
struct plain { float x, y, z; };
__global__ void k(packed *r, plain *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x = r[i].v; }
int main() { int n = 1 << 20; packed *r; plain *p; cudaMalloc(&r, n * sizeof *r); cudaMalloc(&p, n * sizeof *p); k<<<n / 256, 256>>>(r, p, n); }
