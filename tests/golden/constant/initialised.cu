// A table of records in constant memory: its accesses are no requests to global memory, it is no candidate for layouts, and what the file puts there is known.
struct S { float v; int o; };
__constant__ S taps[4] = {{1.0f, -1}, {2.0f, 0}, {3.0f, 1}, {4.0f, 32}};
__constant__ int plain[4];
__global__ void k(const float *a, float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 32 && i < n - 32) { float s = 0;
#pragma unroll
 for (int q = 0; q < 4; q++) s += taps[q].v * a[i + taps[q].o] + plain[q]; b[i] = s; } }
int main() { float *a, *b; cudaMalloc(&a, 4 << 20); cudaMalloc(&b, 4 << 20); k<<<4096, 256>>>(a, b, 1 << 20); }
