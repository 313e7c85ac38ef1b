#include "particle.h"

#define BLOCK 256

static int blocks_for(int n) { return n / BLOCK; }

__global__ void energy_kernel(const Particle *p, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 0.5f * p[i].mass * (p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz);
}

float energy(const Particle *p, float *out, int n)
{
    float first = 0;
    energy_kernel<<<blocks_for(n), BLOCK>>>(p, out, n);
    cudaMemcpy(&first, out, sizeof(float), cudaMemcpyDeviceToHost);
    return first;
}
