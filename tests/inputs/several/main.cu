#include <cstdio>
#include <cstdlib>
#include <vector>
#include "particle.h"

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20, steps = 50;
    std::vector<Particle> host(n);
    for (int i = 0; i < n; i++) host[i] = {1.0f * i, 2, 3, 1, 1, 1, 2};
    Particle *p;
    float *e;
    cudaMalloc(&p, n * sizeof(Particle));
    cudaMalloc(&e, n * sizeof(float));
    cudaMemcpy(p, host.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; s++) push(p, n, 0.01f);
    printf("%g\n", energy(p, e, n));
    cudaMemcpy(host.data(), p, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    printf("%g\n", host[n - 1].x);
    cudaFree(p);
    cudaFree(e);
}
