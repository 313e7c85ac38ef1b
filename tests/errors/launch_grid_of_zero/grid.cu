#include <stdlib.h>
__global__ void k(float *o) { o[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
int main(int argc, char **argv) { int n = atoi(argv[1]); float *o; cudaMalloc(&o, n * 4); k<<<n / 256, 256>>>(o); }
