#pragma once
#include <utility>
namespace lab { namespace fluid {
constexpr int kSteps = 20, kJacobi = 40, kTile = 8;
struct Velocity { float u, v, w; };
struct Domain {
    int n;
    Velocity *vel, *tmp;
    float *p, *q;
    explicit Domain(int size) : n(size)
    {
        const size_t cells = size_t(n) * n * n;
        cudaMalloc(&vel, cells * sizeof(*vel));
        cudaMalloc(&tmp, cells * sizeof(*tmp));
        cudaMalloc(&p, cells * sizeof(float));
        cudaMalloc(&q, cells * sizeof(float));
    }
    ~Domain() { cudaFree(vel); cudaFree(tmp); cudaFree(p); cudaFree(q); }
    dim3 grid() const { int g = (n + kTile - 1) / kTile; return dim3(g, g, g); }
    static dim3 block() { return dim3(kTile, kTile, kTile); }
    int finish() const { return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1; }
};
namespace detail {
__device__ inline int clampi(int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }
__global__ void advect(const Velocity *in, Velocity *out, int n, float dt)
{
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y, z = blockIdx.z * kTile + threadIdx.z;
    if (x >= n || y >= n || z >= n) return;
    int i = (z * n + y) * n + x;
    int bx = clampi(x - int(dt * in[i].u), n), by = clampi(y - int(dt * in[i].v), n), bz = clampi(z - int(dt * in[i].w), n);
    out[i] = in[(bz * n + by) * n + bx];
}
__global__ void jacobi(const float *p, float *q, const Velocity *vel, int n)
{
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y, z = blockIdx.z * kTile + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x, s = n * n;
    float div = 0.5f * (vel[i + 1].u - vel[i - 1].u + vel[i + n].v - vel[i - n].v + vel[i + s].w - vel[i - s].w);
    q[i] = (p[i - 1] + p[i + 1] + p[i - n] + p[i + n] + p[i - s] + p[i + s] - div) / 6.0f;
}
__global__ void project(Velocity *vel, const float *p, int n)
{
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y, z = blockIdx.z * kTile + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x, s = n * n;
    vel[i].u -= 0.5f * (p[i + 1] - p[i - 1]);
    vel[i].v -= 0.5f * (p[i + n] - p[i - n]);
    vel[i].w -= 0.5f * (p[i + s] - p[i - s]);
}
}
inline void predictor(Domain &d) { detail::advect<<<d.grid(), d.block()>>>(d.vel, d.tmp, d.n, 0.1f); std::swap(d.vel, d.tmp); }
inline void pressure(Domain &d) { detail::jacobi<<<d.grid(), d.block()>>>(d.p, d.q, d.vel, d.n); std::swap(d.p, d.q); }
inline void corrector(Domain &d) { detail::project<<<d.grid(), Domain::block()>>>(d.vel, d.p, d.n); }
}}
