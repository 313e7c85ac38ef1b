#include "nope.h"
struct P { float x, y; };
__global__ void k(P *p) { p[threadIdx.x].x = 1; }
int main() { P *p; cudaMalloc(&p, 8 * 256); k<<<1, 256>>>(p); }
