// 2-D compressible Euler, MUSCL + HLLC, Heun time stepping, ghost cells.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cuda_runtime.h>

#define NG     2
#define GAMMA  1.4
#define BX     32
#define BY     4

#define CUDA_TRY(stmt)                                                  \
    if ((stmt) != cudaSuccess) {                                        \
        printf("error at line %d: %s\n", __LINE__,                      \
               cudaGetErrorString(cudaGetLastError()));                 \
        exit(1);                                                        \
    }

typedef double real;

struct Cons { real rho, mx, my, E; };
struct Prim { real rho, u, v, p; };

struct Grid {
    int  nx, ny;        // interior cells
    int  pitch;         // nx + 2*NG
    real dx, dy;
};

struct TimeInfo {
    unsigned long long maxSpeedBits;   // positive double as integer, so atomicMax is ordered
    real dt;
    real t;
    int  step;
};

__host__ __device__ inline Cons operator+(const Cons& a, const Cons& b) { Cons c = { a.rho + b.rho, a.mx + b.mx, a.my + b.my, a.E + b.E }; return c; }
__host__ __device__ inline Cons operator-(const Cons& a, const Cons& b) { Cons c = { a.rho - b.rho, a.mx - b.mx, a.my - b.my, a.E - b.E }; return c; }
__host__ __device__ inline Cons operator*(real s, const Cons& a) { Cons c = { s * a.rho, s * a.mx, s * a.my, s * a.E }; return c; }

__host__ __device__ inline Cons toCons(const Prim& w)
{
    Cons c = { w.rho, w.rho * w.u, w.rho * w.v, w.p / (GAMMA - 1.0) + 0.5 * w.rho * (w.u * w.u + w.v * w.v) };
    return c;
}

__device__ inline Prim toPrim(const Cons& c)
{
    Prim w;
    w.rho = fmax(c.rho, 1e-8);
    w.u = c.mx / w.rho;
    w.v = c.my / w.rho;
    w.p = fmax((GAMMA - 1.0) * (c.E - 0.5 * w.rho * (w.u * w.u + w.v * w.v)), 1e-8);
    return w;
}

__device__ inline real minmod(real a, real b)
{
    if (a * b <= 0.0) return 0.0;
    return fabs(a) < fabs(b) ? a : b;
}

// value at the face: centre + sgn * half limited slope
__device__ inline Prim faceState(const Prim& m, const Prim& c, const Prim& p, real sgn)
{
    Prim r;
    r.rho = c.rho + sgn * 0.5 * minmod(c.rho - m.rho, p.rho - c.rho);
    r.u   = c.u   + sgn * 0.5 * minmod(c.u - m.u, p.u - c.u);
    r.v   = c.v   + sgn * 0.5 * minmod(c.v - m.v, p.v - c.v);
    r.p   = c.p   + sgn * 0.5 * minmod(c.p - m.p, p.p - c.p);
    return r;
}

__device__ inline Cons physFlux(const Prim& w, const Cons& c)
{
    Cons f = { c.mx, c.mx * w.u + w.p, c.my * w.u, (c.E + w.p) * w.u };
    return f;
}

__device__ inline Cons starState(const Prim& w, const Cons& c, real S, real Sm)
{
    real k = w.rho * (S - w.u) / (S - Sm);
    Cons s = { k, k * Sm, k * w.v, k * (c.E / w.rho + (Sm - w.u) * (Sm + w.p / (w.rho * (S - w.u)))) };
    return s;
}

// HLLC with normal direction = x
__device__ Cons hllc(const Prim& L, const Prim& R)
{
    Cons UL = toCons(L), UR = toCons(R);
    real aL = sqrt(GAMMA * L.p / L.rho), aR = sqrt(GAMMA * R.p / R.rho);
    real SL = fmin(L.u - aL, R.u - aR);
    real SR = fmax(L.u + aL, R.u + aR);
    if (SL >= 0.0) return physFlux(L, UL);
    if (SR <= 0.0) return physFlux(R, UR);
    real num = R.p - L.p + L.rho * L.u * (SL - L.u) - R.rho * R.u * (SR - R.u);
    real den = L.rho * (SL - L.u) - R.rho * (SR - R.u);
    real Sm = num / den;
    if (Sm >= 0.0) return physFlux(L, UL) + SL * (starState(L, UL, SL, Sm) - UL);
    return physFlux(R, UR) + SR * (starState(R, UR, SR, Sm) - UR);
}

// outflow (zero gradient) on all four sides, one thread per ghost row/column entry
__global__ void applyBoundary(Cons* U, Grid g)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int rows = g.ny + 2 * NG;
    if (k < rows) {
        int j = min(max(k, NG), g.ny + NG - 1);
        for (int q = 0; q < NG; q++) {
            U[k * g.pitch + q] = U[j * g.pitch + NG];
            U[k * g.pitch + g.nx + NG + q] = U[j * g.pitch + g.nx + NG - 1];
        }
    }
    if (k >= NG && k < g.nx + NG) {
        for (int q = 0; q < NG; q++) {
            U[q * g.pitch + k] = U[NG * g.pitch + k];
            U[(g.ny + NG + q) * g.pitch + k] = U[(g.ny + NG - 1) * g.pitch + k];
        }
    }
}

__global__ void maxWaveSpeed(const Cons* U, Grid g, TimeInfo* ti)
{
    __shared__ real smax[256];
    real m = 0.0;
    int n = g.nx * g.ny;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        int i = k % g.nx, j = k / g.nx;
        Prim w = toPrim(U[(j + NG) * g.pitch + i + NG]);
        real a = sqrt(GAMMA * w.p / w.rho);
        m = fmax(m, (fabs(w.u) + a) / g.dx + (fabs(w.v) + a) / g.dy);
    }
    smax[threadIdx.x] = m;
    __syncthreads();
    for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
        if (threadIdx.x < s) smax[threadIdx.x] = fmax(smax[threadIdx.x], smax[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicMax(&ti->maxSpeedBits, (unsigned long long)__double_as_longlong(smax[0]));
}

__global__ void updateDt(TimeInfo* ti, real cfl)
{
    real s = __longlong_as_double((long long)ti->maxSpeedBits);
    ti->dt = cfl / s;
    ti->t += ti->dt;
    ti->step += 1;
    ti->maxSpeedBits = 0ull;
}

// face (i,j) lies between cell i-1 and i, i = 0..nx
__global__ void fluxX(const Cons* __restrict__ U, Cons* __restrict__ F, Grid g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > g.nx || j >= g.ny) return;
    const Cons* row = U + (j + NG) * g.pitch + i + NG;
    Prim a = toPrim(row[-2]), b = toPrim(row[-1]), c = toPrim(row[0]), d = toPrim(row[1]);
    F[j * (g.nx + 1) + i] = hllc(faceState(a, b, c, 1.0), faceState(b, c, d, -1.0));
}

__device__ inline Prim rotate(Prim w) { real t = w.u; w.u = w.v; w.v = t; return w; }

__global__ void fluxY(const Cons* __restrict__ U, Cons* __restrict__ G, Grid g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= g.nx || j > g.ny) return;
    const Cons* col = U + (j + NG) * g.pitch + i + NG;
    Prim a = rotate(toPrim(col[-2 * g.pitch])), b = rotate(toPrim(col[-g.pitch]));
    Prim c = rotate(toPrim(col[0])), d = rotate(toPrim(col[g.pitch]));
    Cons f = hllc(faceState(a, b, c, 1.0), faceState(b, c, d, -1.0));
    Cons r = { f.rho, f.my, f.mx, f.E };
    G[j * g.nx + i] = r;
}

// Uout = alpha * U0 + (1 - alpha) * (Uin - dt * div)
__global__ void updateStage(const Cons* U0, const Cons* Uin, Cons* Uout, const Cons* F, const Cons* G,
                            Grid g, const TimeInfo* ti, real alpha)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= g.nx || j >= g.ny) return;
    int id = (j + NG) * g.pitch + i + NG;
    real cx = ti->dt / g.dx, cy = ti->dt / g.dy;
    const Cons* f = &F[j * (g.nx + 1) + i];
    Cons rhs = cx * (f[1] - f[0]) + cy * (G[(j + 1) * g.nx + i] - G[j * g.nx + i]);
    Uout[id] = alpha * U0[id] + (1.0 - alpha) * (Uin[id] - rhs);
}

int main()
{
    Grid g;
    g.nx = 1536; g.ny = 1024; g.pitch = g.nx + 2 * NG;
    g.dx = 1.5 / g.nx; g.dy = 1.0 / g.ny;
    const int total = g.pitch * (g.ny + 2 * NG), steps = 6;

    // Mach ~1.2 shock running into a field of randomly placed light bubbles
    srand(42);
    const int nb = 24;
    real bx[nb], by[nb], br[nb];
    for (int k = 0; k < nb; k++) {
        bx[k] = 0.35 + 1.0 * rand() / RAND_MAX;
        by[k] = 0.1 + 0.8 * rand() / RAND_MAX;
        br[k] = 0.02 + 0.05 * rand() / RAND_MAX;
    }
    Cons* h = (Cons*)malloc(total * sizeof(Cons));
    for (int j = 0; j < g.ny + 2 * NG; j++)
        for (int i = 0; i < g.pitch; i++) {
            real x = (i - NG + 0.5) * g.dx, y = (j - NG + 0.5) * g.dy;
            Prim w = { 1.0, 0.0, 0.0, 1.0 };
            if (x < 0.2) { w.rho = 1.3416; w.u = 0.3615; w.p = 1.5133; }
            for (int k = 0; k < nb; k++)
                if ((x - bx[k]) * (x - bx[k]) + (y - by[k]) * (y - by[k]) < br[k] * br[k]) w.rho = 0.2;
            h[j * g.pitch + i] = toCons(w);
        }

    Cons *U, *U1, *F, *G;
    TimeInfo* ti;
    CUDA_TRY(cudaMalloc(&U, total * sizeof(Cons)));
    CUDA_TRY(cudaMalloc(&U1, total * sizeof(Cons)));
    CUDA_TRY(cudaMalloc(&F, (g.nx + 1) * g.ny * sizeof(Cons)));
    CUDA_TRY(cudaMalloc(&G, g.nx * (g.ny + 1) * sizeof(Cons)));
    CUDA_TRY(cudaMalloc(&ti, sizeof(TimeInfo)));
    CUDA_TRY(cudaMemset(ti, 0, sizeof(TimeInfo)));
    CUDA_TRY(cudaMemcpy(U, h, total * sizeof(Cons), cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(U1, h, total * sizeof(Cons), cudaMemcpyHostToDevice));

    dim3 blk(BX, BY);
    dim3 grd((g.nx + BX) / BX, (g.ny + BY) / BY);     // covers nx+1 by ny+1
    int nbc = (max(g.nx, g.ny) + 2 * NG + 127) / 128;
    for (int s = 0; s < steps; s++) {
        maxWaveSpeed<<<528, 256>>>(U, g, ti);
        updateDt<<<1, 1>>>(ti, 0.8);
        for (int stage = 0; stage < 2; stage++) {
            Cons* in = stage == 0 ? U : U1;
            applyBoundary<<<nbc, 128>>>(in, g);
            fluxX<<<grd, blk>>>(in, F, g);
            fluxY<<<grd, blk>>>(in, G, g);
            updateStage<<<grd, blk>>>(U, in, stage == 0 ? U1 : U, F, G, g, ti, stage == 0 ? 0.0 : 0.5);
        }
        CUDA_TRY(cudaGetLastError());
    }
    CUDA_TRY(cudaDeviceSynchronize());

    TimeInfo hti;
    CUDA_TRY(cudaMemcpy(&hti, ti, sizeof(TimeInfo), cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaMemcpy(h, U, total * sizeof(Cons), cudaMemcpyDeviceToHost));
    real mass = 0, energy = 0;
    for (int j = NG; j < g.ny + NG; j++)
        for (int i = NG; i < g.nx + NG; i++) { mass += h[j * g.pitch + i].rho; energy += h[j * g.pitch + i].E; }
    printf("steps %d t %.6e mass %.8f energy %.8f\n", hti.step, hti.t, mass * g.dx * g.dy, energy * g.dx * g.dy);
    cudaFree(U); cudaFree(U1); cudaFree(F); cudaFree(G); cudaFree(ti);
    free(h);
    return 0;
}
