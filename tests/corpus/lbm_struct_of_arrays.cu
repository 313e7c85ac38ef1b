// args: 512 512 1000
#include <cstdio>
#include <cstdlib>
#include <utility>
constexpr int Q = 9;
struct Lattice { float *f; int nx, ny; };
__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__device__ __forceinline__ int at(const Lattice &l, int q, int x, int y) { return (q * l.ny + y) * l.nx + x; }
__global__ void streamCollide(Lattice in, Lattice out, float omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.nx || y >= in.ny) return;
    float f[Q], rho = 0;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        int sx = (x - cx[q] + in.nx) % in.nx, sy = (y - cy[q] + in.ny) % in.ny;
        f[q] = in.f[at(in, q, sx, sy)];
        rho += f[q];
    }
#pragma unroll
    for (int q = 0; q < Q; q++) out.f[at(out, q, x, y)] = f[q] + omega * (rho / Q - f[q]);
}
static Lattice make(int nx, int ny)
{
    Lattice l;
    l.nx = nx;
    l.ny = ny;
    cudaMalloc(&l.f, sizeof(float) * Q * nx * ny);
    return l;
}
int main(int argc, char **argv)
{
    int nx = argc > 1 ? atoi(argv[1]) : 256, ny = argc > 2 ? atoi(argv[2]) : 256, steps = argc > 3 ? atoi(argv[3]) : 10;
    Lattice a = make(nx, ny), b = make(nx, ny);
    dim3 threads(32, 4), blocks((nx + 31) / 32, (ny + 3) / 4);
    for (int t = 0; t < steps; ++t) {
        streamCollide<<<blocks, threads>>>(a, b, 1.2f);
        std::swap(a, b);
    }
    cudaDeviceSynchronize();
    cudaFree(a.f);
    cudaFree(b.f);
}
