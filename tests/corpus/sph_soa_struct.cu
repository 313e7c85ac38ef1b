// args: 100000
#include <cstdio>
#include <cstdlib>
struct Particles {
    float *x, *y, *z;
    float *vx, *vy, *vz;
    float *rho, *p;
    int n;
};
static Particles allocate(int n)
{
    Particles s;
    float **all[] = {&s.x, &s.y, &s.z, &s.vx, &s.vy, &s.vz, &s.rho, &s.p};
    for (float **a : all) cudaMalloc(a, n * sizeof(float));
    s.n = n;
    return s;
}
__global__ void density(Particles s, const int *neighbour, const int *count, int max_neighbours, float h2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.n) return;
    float xi = s.x[i], yi = s.y[i], zi = s.z[i], rho = 0;
    for (int k = 0; k < count[i]; k++) {
        int j = neighbour[i * max_neighbours + k];
        float dx = s.x[j] - xi, dy = s.y[j] - yi, dz = s.z[j] - zi, d = h2 - dx * dx - dy * dy - dz * dz;
        if (d > 0) rho += d * d * d;
    }
    s.rho[i] = rho;
    s.p[i] = 1000.0f * (rho - 1.0f);
}
__global__ void move(Particles s, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.n) return;
    s.x[i] += dt * s.vx[i];
    s.y[i] += dt * s.vy[i];
    s.z[i] += dt * s.vz[i];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    const int max_neighbours = 64;
    Particles s = allocate(n);
    int *neighbour, *count;
    cudaMalloc(&neighbour, n * max_neighbours * sizeof(int));
    cudaMalloc(&count, n * sizeof(int));
    int blocks = (n + 127) / 128;
    for (int step = 0; step < 25; ++step) {
        density<<<blocks, 128>>>(s, neighbour, count, max_neighbours, 0.01f);
        move<<<blocks, 128>>>(s, 0.001f);
    }
    cudaDeviceSynchronize();
}
