// args: 262144 100 0.01
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
    if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); if (abort) exit(code); }
}
struct Species { double a, b, c, d; };
__global__ void rk4(Species *s, int n, double dt)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        double a = s[i].a, b = s[i].b, c = s[i].c;
        double k1 = -0.04 * a + 1e4 * b * c, k2 = 3e7 * b * b;
        s[i].a = a + dt * k1; s[i].b = b - dt * (k1 + k2); s[i].c = c + dt * k2; s[i].d += dt;
    }
}
int main(int argc, char *argv[])
{
    int cells = (argc > 1) ? atoi(argv[1]) : 1024; int steps = (argc > 2) ? atoi(argv[2]) : 10; double dt = (argc > 3) ? atof(argv[3]) : 1e-3;
    Species *d_s, *h_s = (Species *)malloc(cells * sizeof(Species));
    gpuErrchk(cudaMalloc((void **)&d_s, cells * sizeof(Species)));
    gpuErrchk(cudaMemcpy(d_s, h_s, cells * sizeof(Species), cudaMemcpyHostToDevice));
    dim3 dimBlock(128), dimGrid((cells + dimBlock.x - 1) / dimBlock.x);
    for (int t = 0; t < steps; ++t) { rk4<<<dimGrid, dimBlock>>>(d_s, cells, dt); gpuErrchk(cudaPeekAtLastError()); }
    gpuErrchk(cudaDeviceSynchronize());
}
