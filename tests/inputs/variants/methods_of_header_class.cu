#include "engine.h"
struct P { float x, y; };
__global__ void k(const P *p, float *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = p[i].x + p[i].y; }
engine::engine() { cudaMalloc(&o, 4096); }
void engine::go() { P *q; cudaMalloc(&q, 1024 * sizeof(P)); k<<<4, 256>>>(q, o); }
