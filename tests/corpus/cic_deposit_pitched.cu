// args: 1000000 256
#include <cstdio>
#include <cstdlib>
#include <cassert>
struct Electron { double x, y, vx, vy; int cell; };
static inline void check(cudaError_t code, const char *what)
{
    if (code != cudaSuccess) { fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code)); abort(); }
}
__global__ void deposit(const Electron *p, int n, double *rho, size_t pitch, int grid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double fx = p[i].x * grid, fy = p[i].y * grid;
    int cx = (int)fx, cy = (int)fy;
    double wx = fx - cx, wy = fy - cy;
    double *row0 = (double *)((char *)rho + (cy % grid) * pitch), *row1 = (double *)((char *)rho + ((cy + 1) % grid) * pitch);
    atomicAdd(&row0[cx % grid], (1 - wx) * (1 - wy));
    atomicAdd(&row0[(cx + 1) % grid], wx * (1 - wy));
    atomicAdd(&row1[cx % grid], (1 - wx) * wy);
    atomicAdd(&row1[(cx + 1) % grid], wx * wy);
}
__global__ void push(Electron *p, int n, double dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].x -= floor(p[i].x);
    p[i].y -= floor(p[i].y);
}
int main(int argc, char **argv)
{
    int particles = argc > 1 ? atoi(argv[1]) : 10000, grid = argc > 2 ? atoi(argv[2]) : 64;
    Electron *p; double *rho; size_t pitch;
    check(cudaMalloc((void **)&p, particles * sizeof(Electron)), "particles");
    check(cudaMallocPitch((void **)&rho, &pitch, grid * sizeof(double), grid), "density");
    for (int s = 0; s < 100; s++) {
        check(cudaMemset2D(rho, pitch, 0, grid * sizeof(double), grid), "clear");
        deposit<<<(particles + 255) / 256, 256>>>(p, particles, rho, pitch, grid);
        push<<<(particles + 255) / 256, 256>>>(p, particles, 0.01);
        check(cudaGetLastError(), "launch");
    }
    check(cudaDeviceSynchronize(), "sync");
}
