#include <cstdio>
#include "particle.h"

#define BLOCK 128
#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t e = (call);                                       \
        if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e)); \
    } while (0)

static int blocks_for(int n) { return (n + BLOCK - 1) / BLOCK; }

__global__ void push_kernel(Particle *p, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += dt * p[i].vx;
        p[i].y += dt * p[i].vy;
        p[i].z += dt * p[i].vz;
    }
}

void push(Particle *p, int n, float dt)
{
    push_kernel<<<blocks_for(n), BLOCK>>>(p, n, dt);
    CHECK(cudaGetLastError());
}
