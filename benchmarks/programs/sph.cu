// Weakly compressible SPH dam break (3D). Particles are re-sorted by grid cell
// on the host at each step, the GPU does density, forces and integration.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

inline void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        std::fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(e));
        std::exit(1);
    }
}
#define CK(x) check((x), #x)

struct Vec3 {
    float x, y, z;
};

__host__ __device__ inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__host__ __device__ inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
__host__ __device__ inline Vec3 &operator+=(Vec3 &a, Vec3 b) { a = a + b; return a; }
__host__ __device__ inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Particle {
    Vec3  pos;
    Vec3  vel;
    Vec3  acc;
    float density;
    float pressure;
    float mass;
    int   cell;
    int   tag;
};

struct CellRange {
    int begin;
    int end;
};

struct SimParams {
    float h, h2, restDensity, stiffness, viscosity, dt;
    float poly6, spikyGrad, viscLap;
    Vec3  gravity, boxMin, boxMax;
    int   gx, gy, gz;
};

__constant__ SimParams P;

__host__ __device__ inline int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

__host__ __device__ inline int3 cellOf(const SimParams &s, Vec3 p)
{
    return make_int3(clampi((int)((p.x - s.boxMin.x) / s.h), 0, s.gx - 1),
                     clampi((int)((p.y - s.boxMin.y) / s.h), 0, s.gy - 1),
                     clampi((int)((p.z - s.boxMin.z) / s.h), 0, s.gz - 1));
}

template <typename F>
__device__ inline void forEachNeighbour(const CellRange *__restrict__ cells, Vec3 pos, F &&f)
{
    const int3 c = cellOf(P, pos);
    for (int z = max(c.z - 1, 0); z <= min(c.z + 1, P.gz - 1); ++z)
        for (int y = max(c.y - 1, 0); y <= min(c.y + 1, P.gy - 1); ++y)
            for (int x = max(c.x - 1, 0); x <= min(c.x + 1, P.gx - 1); ++x) {
                const CellRange r = cells[(z * P.gy + y) * P.gx + x];
                for (int j = r.begin; j < r.end; ++j)
                    f(j);
            }
}

__global__ void densityKernel(Particle *parts, const CellRange *__restrict__ cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Vec3 pi = parts[i].pos;
    float rho = 0.f;
    forEachNeighbour(cells, pi, [&](int j) {
        const Vec3 d = pi - parts[j].pos;
        const float r2 = dot(d, d);
        if (r2 < P.h2) {
            const float w = P.h2 - r2;
            rho += parts[j].mass * P.poly6 * w * w * w;
        }
    });
    parts[i].density = rho;
    parts[i].pressure = fmaxf(0.f, P.stiffness * (rho - P.restDensity));
}

__global__ void forceKernel(Particle *parts, const CellRange *__restrict__ cells, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Vec3 pi = parts[i].pos, vi = parts[i].vel;
    const float rhoi = parts[i].density, pri = parts[i].pressure;
    Vec3 f = {0.f, 0.f, 0.f};
    forEachNeighbour(cells, pi, [&](int j) {
        if (j == i) return;
        const Particle &o = parts[j];
        const Vec3 d = pi - o.pos;
        const float r2 = dot(d, d);
        if (r2 >= P.h2 || r2 < 1e-12f) return;
        const float r = sqrtf(r2), w = P.h - r;
        const float pterm = o.mass * (pri + o.pressure) / (2.f * o.density) * P.spikyGrad * w * w / r;
        const float vterm = P.viscosity * o.mass / o.density * P.viscLap * w;
        f += pterm * d + vterm * (o.vel - vi);
    });
    parts[i].acc = (1.f / rhoi) * f + P.gravity;
}

__device__ inline void bounce(float &x, float &v, float lo, float hi)
{
    const float damp = -0.4f;
    if (x < lo) { x = lo; v *= damp; }
    if (x > hi) { x = hi; v *= damp; }
}

__global__ void integrateKernel(Particle *parts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle p = parts[i];
    p.vel += P.dt * p.acc;
    p.pos += P.dt * p.vel;
    bounce(p.pos.x, p.vel.x, P.boxMin.x, P.boxMax.x);
    bounce(p.pos.y, p.vel.y, P.boxMin.y, P.boxMax.y);
    bounce(p.pos.z, p.vel.z, P.boxMin.z, P.boxMax.z);
    parts[i].pos = p.pos;
    parts[i].vel = p.vel;
    const int3 c = cellOf(P, p.pos);
    parts[i].cell = (c.z * P.gy + c.y) * P.gx + c.x;
}

// counting sort, also fills the cell table
void sortByCell(std::vector<Particle> &a, std::vector<Particle> &tmp, std::vector<CellRange> &cells)
{
    for (auto &c : cells) c.begin = c.end = 0;
    for (const auto &p : a) cells[p.cell].end++;
    int run = 0;
    for (auto &c : cells) {
        const int cnt = c.end;
        c.begin = c.end = run;
        run += cnt;
    }
    for (const auto &p : a) tmp[cells[p.cell].end++] = p;
    a.swap(tmp);
}

} // namespace

int main()
{
    const int nx = 72, ny = 56, nz = 48, n = nx * ny * nz;
    const float spacing = 0.01f, pi = 3.14159265f;

    SimParams s;
    s.h = 2.2f * spacing;
    s.h2 = s.h * s.h;
    s.restDensity = 1000.f;
    s.stiffness = 40.f;
    s.viscosity = 1.5f;
    s.dt = 4e-4f;
    s.poly6 = 315.f / (64.f * pi * powf(s.h, 9.f));
    s.spikyGrad = 45.f / (pi * powf(s.h, 6.f));
    s.viscLap = 45.f / (pi * powf(s.h, 6.f));
    s.gravity = {0.f, -9.81f, 0.f};
    s.boxMin = {0.f, 0.f, 0.f};
    s.boxMax = {1.6f, 0.9f, 0.5f};
    s.gx = (int)(s.boxMax.x / s.h) + 1;
    s.gy = (int)(s.boxMax.y / s.h) + 1;
    s.gz = (int)(s.boxMax.z / s.h) + 1;

    std::minstd_rand gen(12345);
    auto jitter = [&] { return (float)gen() / (float)gen.max() - 0.5f; };

    std::vector<Particle> parts(n), tmp(n);
    int k = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++k) {
                Particle &p = parts[k];
                p.pos.x = (x + 0.5f + 0.1f * jitter()) * spacing;
                p.pos.y = (y + 0.5f + 0.1f * jitter()) * spacing;
                p.pos.z = (z + 0.5f + 0.1f * jitter()) * spacing;
                p.vel = {0.02f * jitter(), 0.02f * jitter(), 0.02f * jitter()};
                p.acc = {0.f, 0.f, 0.f};
                p.density = p.pressure = 0.f;
                p.mass = s.restDensity * spacing * spacing * spacing;
                p.tag = k;
                const int3 c = cellOf(s, p.pos);
                p.cell = (c.z * s.gy + c.y) * s.gx + c.x;
            }

    const int ncells = s.gx * s.gy * s.gz;
    std::vector<CellRange> cells(ncells);
    Particle *dParts = nullptr;
    CellRange *dCells = nullptr;
    CK(cudaMalloc(&dParts, n * sizeof(Particle)));
    CK(cudaMalloc(&dCells, ncells * sizeof(CellRange)));
    CK(cudaMemcpyToSymbol(P, &s, sizeof(s)));

    const int threads = 128, blocks = (n + threads - 1) / threads;
    for (int step = 0; step < 8; ++step) {
        sortByCell(parts, tmp, cells);
        CK(cudaMemcpy(dParts, parts.data(), n * sizeof(Particle), cudaMemcpyHostToDevice));
        CK(cudaMemcpy(dCells, cells.data(), ncells * sizeof(CellRange), cudaMemcpyHostToDevice));
        densityKernel<<<blocks, threads>>>(dParts, dCells, n);
        forceKernel<<<blocks, threads>>>(dParts, dCells, n);
        integrateKernel<<<blocks, threads>>>(dParts, n);
        CK(cudaGetLastError());
        CK(cudaMemcpy(parts.data(), dParts, n * sizeof(Particle), cudaMemcpyDeviceToHost));
    }

    double sx = 0, sy = 0, rho = 0, ke = 0;
    for (const auto &p : parts) {
        sx += p.pos.x;
        sy += p.pos.y;
        rho += p.density;
        ke += 0.5 * p.mass * dot(p.vel, p.vel);
    }
    std::printf("n=%d com=(%.6f,%.6f) rho=%.3f ke=%.6f\n", n, sx / n, sy / n, rho / n, ke);
    CK(cudaFree(dParts));
    CK(cudaFree(dCells));
    return 0;
}
