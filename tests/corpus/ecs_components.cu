#include <array>
#include <cstdio>
#include <vector>
#include <numeric>
struct Transform { float px, py, pz, rx, ry, rz, rw, scale; };
struct Motion { float vx, vy, vz, spin; };
enum class Kind : int { Static, Dynamic, Kinematic };
struct Meta { Kind kind; unsigned mask; };
__global__ void integrate(Transform *t, const Motion *m, const Meta *meta, const unsigned *live, unsigned count, float dt)
{
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    unsigned e = live[k];
    if (meta[e].kind == Kind::Static) return;
    t[e].px += m[e].vx * dt;
    t[e].py += m[e].vy * dt;
    t[e].pz += m[e].vz * dt;
    float h = 0.5f * dt * m[e].spin;
    float x = t[e].rx, w = t[e].rw;
    t[e].rx = x + h * w;
    t[e].rw = w - h * x;
}
int main()
{
    constexpr std::array<unsigned, 3> sizes{1u << 14, 1u << 17, 1u << 20};
    for (unsigned n : sizes) {
        Transform *t; Motion *m; Meta *meta; unsigned *live;
        cudaMalloc(&t, n * sizeof *t);
        cudaMalloc(&m, n * sizeof *m);
        cudaMalloc(&meta, n * sizeof *meta);
        std::vector<unsigned> ids(n);
        std::iota(ids.begin(), ids.end(), 0u);
        cudaMalloc(&live, n * sizeof(unsigned));
        cudaMemcpy(live, ids.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
        for (int frame = 0; frame < 60; ++frame) integrate<<<(n + 255u) / 256u, 256>>>(t, m, meta, live, n, 1.0f / 60);
        cudaDeviceSynchronize();
        cudaFree(t); cudaFree(m); cudaFree(meta); cudaFree(live);
    }
}
