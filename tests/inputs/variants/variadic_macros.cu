#include <cstdio>
#include <vector>
#define LAUNCH(k, g, b, ...) k<<<g, b>>>(__VA_ARGS__)
#define DEBUG_PRINT(fmt, ...) printf(fmt, ##__VA_ARGS__)
struct P { float x, y, z; };
__global__ void k(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { p[i].x += p[i].y; if (i == 0) DEBUG_PRINT("%d\n", i); } }
int main() { P *p; cudaMalloc(&p, 1024 * sizeof(P)); LAUNCH(k, 4, 256, p, 1024); }
