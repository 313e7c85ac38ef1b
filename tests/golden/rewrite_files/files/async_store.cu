#include "point.h"
__global__ void move(point *p) { int i = blockIdx.x * blockDim.x + threadIdx.x; p[i].x += p[i].y; p[i].z *= p[i].w; }
void store(point *h, point *d, int n) { cudaMemcpy(h, d, n * sizeof(point), cudaMemcpyDeviceToHost); }
