#include "cell.h"
__global__ void grow(cell *p, cell *q) { int i = blockIdx.x * blockDim.x + threadIdx.x; p[i].mass += q[i].speed; q[i].mass = p[i].speed; }
void prepare(cell *d, cell *e, int n) { cudaMemset(d, 0, n * sizeof(cell)); cudaMemcpy(e, d, n * sizeof(cell), cudaMemcpyDeviceToDevice); }
