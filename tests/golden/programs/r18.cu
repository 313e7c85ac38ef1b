// args: -- 4096
struct P { float x, y; };
__global__ void k(const P *p, float *o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = p[i].x; }
#include <cstdlib>
int main(int argc, char **argv) { int n = atoi(argv[1]); P *p; float *o; cudaMalloc(&p, n * sizeof(P)); cudaMalloc(&o, n * 4); for (int r = 0; r < 10; r++) k<<<(n + 255) / 256, 256>>>(p, o, n); }
