// D3Q19 lattice Boltzmann (BGK), flow past a sphere in a periodic duct.
// Body force drives the flow, half-way bounce back on solid cells.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#define Q 19

static void gpuAssert(cudaError_t code, const char* file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}
#define gpuErrchk(ans) gpuAssert((ans), __FILE__, __LINE__)

enum CellType { FLUID = 0, SOLID = 1 };

struct Cell {
    float f[Q];
    int   type;
};

struct Macro {
    float rho;
    float ux, uy, uz;
};

struct Stats {
    double mass;
    double kinetic;
    double momentumX;
};

struct Params {
    int nx, ny, nz;
    float omega;
    float gx;
};

__constant__ int   d_cx[Q] = { 0, 1,-1, 0, 0, 0, 0, 1,-1, 1,-1, 1,-1, 1,-1, 0, 0, 0, 0 };
__constant__ int   d_cy[Q] = { 0, 0, 0, 1,-1, 0, 0, 1,-1,-1, 1, 0, 0, 0, 0, 1,-1, 1,-1 };
__constant__ int   d_cz[Q] = { 0, 0, 0, 0, 0, 1,-1, 0, 0, 0, 0, 1,-1,-1, 1, 1,-1,-1, 1 };
__constant__ int   d_op[Q] = { 0, 2, 1, 4, 3, 6, 5, 8, 7,10, 9,12,11,14,13,16,15,18,17 };
__constant__ float d_w[Q]  = { 1.f/3, 1.f/18, 1.f/18, 1.f/18, 1.f/18, 1.f/18, 1.f/18,
                               1.f/36, 1.f/36, 1.f/36, 1.f/36, 1.f/36, 1.f/36,
                               1.f/36, 1.f/36, 1.f/36, 1.f/36, 1.f/36, 1.f/36 };

__device__ __forceinline__ int cellIndex(const Params& p, int x, int y, int z)
{
    return (z * p.ny + y) * p.nx + x;
}

__device__ __forceinline__ int wrap(int v, int n)
{
    return v < 0 ? v + n : (v >= n ? v - n : v);
}

__device__ __forceinline__ float equilibrium(int q, float rho, float ux, float uy, float uz)
{
    float cu = 3.0f * (d_cx[q] * ux + d_cy[q] * uy + d_cz[q] * uz);
    float usq = 1.5f * (ux * ux + uy * uy + uz * uz);
    return d_w[q] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
}

// pull streaming + collision, src -> dst
__global__ void streamCollide(const Cell* __restrict__ src, Cell* __restrict__ dst, Params p)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= p.nx || y >= p.ny || z >= p.nz) return;
    int id = cellIndex(p, x, y, z);
    if (src[id].type == SOLID) return;

    float f[Q];
    float rho = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
#pragma unroll
    for (int q = 0; q < Q; ++q) {
        int xs = wrap(x - d_cx[q], p.nx);
        int ys = wrap(y - d_cy[q], p.ny);
        int zs = wrap(z - d_cz[q], p.nz);
        int nb = cellIndex(p, xs, ys, zs);
        f[q] = src[nb].type == SOLID ? src[id].f[d_op[q]] : src[nb].f[q];
        rho += f[q];
        ux += d_cx[q] * f[q];
        uy += d_cy[q] * f[q];
        uz += d_cz[q] * f[q];
    }
    float inv = 1.0f / rho;
    ux = ux * inv + p.gx / p.omega;     // Shan-Chen style velocity shift
    uy *= inv;
    uz *= inv;
#pragma unroll
    for (int q = 0; q < Q; ++q)
        dst[id].f[q] = f[q] + p.omega * (equilibrium(q, rho, ux, uy, uz) - f[q]);
}

__global__ void computeMacro(const Cell* __restrict__ cells, Macro* __restrict__ macro, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Macro m = { 0.0f, 0.0f, 0.0f, 0.0f };
    if (cells[i].type == FLUID) {
        for (int q = 0; q < Q; ++q) {
            float f = cells[i].f[q];
            m.rho += f;
            m.ux += d_cx[q] * f;
            m.uy += d_cy[q] * f;
            m.uz += d_cz[q] * f;
        }
        m.ux /= m.rho;
        m.uy /= m.rho;
        m.uz /= m.rho;
    }
    macro[i] = m;
}

__global__ void reduceStats(const Macro* __restrict__ macro, Stats* out, int n)
{
    __shared__ double sm[256], sk[256], sx[256];
    int tid = threadIdx.x;
    double mass = 0, kin = 0, mom = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
        const Macro& m = macro[i];
        mass += m.rho;
        kin += 0.5 * m.rho * (m.ux * m.ux + m.uy * m.uy + m.uz * m.uz);
        mom += m.rho * m.ux;
    }
    sm[tid] = mass; sk[tid] = kin; sx[tid] = mom;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) { sm[tid] += sm[tid + s]; sk[tid] += sk[tid + s]; sx[tid] += sx[tid + s]; }
        __syncthreads();
    }
    if (tid == 0) {
        atomicAdd(&out->mass, sm[0]);
        atomicAdd(&out->kinetic, sk[0]);
        atomicAdd(&out->momentumX, sx[0]);
    }
}

// vorticity magnitude from central differences of the velocity
__global__ void vorticity(const Macro* __restrict__ m, float* __restrict__ curl, Params p)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= p.nx || y >= p.ny || z >= p.nz) return;
    const Macro& e = m[cellIndex(p, wrap(x + 1, p.nx), y, z)];
    const Macro& w = m[cellIndex(p, wrap(x - 1, p.nx), y, z)];
    const Macro& n = m[cellIndex(p, x, wrap(y + 1, p.ny), z)];
    const Macro& s = m[cellIndex(p, x, wrap(y - 1, p.ny), z)];
    const Macro& t = m[cellIndex(p, x, y, wrap(z + 1, p.nz))];
    const Macro& b = m[cellIndex(p, x, y, wrap(z - 1, p.nz))];
    float wx = 0.5f * ((n.uz - s.uz) - (t.uy - b.uy));
    float wy = 0.5f * ((t.ux - b.ux) - (e.uz - w.uz));
    float wz = 0.5f * ((e.uy - w.uy) - (n.ux - s.ux));
    curl[cellIndex(p, x, y, z)] = sqrtf(wx * wx + wy * wy + wz * wz);
}

int main()
{
    Params prm;
    prm.nx = 192; prm.ny = 128; prm.nz = 128;
    prm.omega = 1.0f / 0.62f;
    prm.gx = 2.0e-6f;
    const int n = prm.nx * prm.ny * prm.nz;
    const int steps = 10;

    const float w0[3] = { 1.f / 3, 1.f / 18, 1.f / 36 };
    const int hcx[Q] = { 0, 1,-1, 0, 0, 0, 0, 1,-1, 1,-1, 1,-1, 1,-1, 0, 0, 0, 0 };
    std::vector<Cell> h(n);
    srand(7);
    for (int z = 0; z < prm.nz; ++z)
        for (int y = 0; y < prm.ny; ++y)
            for (int x = 0; x < prm.nx; ++x) {
                Cell& c = h[(z * prm.ny + y) * prm.nx + x];
                float dx = x - prm.nx * 0.3f, dy = y - prm.ny * 0.5f, dz = z - prm.nz * 0.5f;
                bool wall = y == 0 || y == prm.ny - 1 || z == 0 || z == prm.nz - 1;
                c.type = (wall || dx * dx + dy * dy + dz * dz < 20.0f * 20.0f) ? SOLID : FLUID;
                float rho = 1.0f + 1e-3f * (rand() / (float)RAND_MAX - 0.5f);
                float u = 0.05f;
                for (int q = 0; q < Q; ++q) {
                    float w = q == 0 ? w0[0] : (q < 7 ? w0[1] : w0[2]);
                    float cu = 3.0f * hcx[q] * u;
                    c.f[q] = w * rho * (1.0f + cu + 0.5f * cu * cu - 1.5f * u * u);
                }
            }

    Cell *d_a, *d_b;
    Macro* d_macro;
    float* d_curl;
    Stats* d_stats;
    gpuErrchk(cudaMalloc(&d_a, n * sizeof(Cell)));
    gpuErrchk(cudaMalloc(&d_b, n * sizeof(Cell)));
    gpuErrchk(cudaMalloc(&d_macro, n * sizeof(Macro)));
    gpuErrchk(cudaMalloc(&d_curl, n * sizeof(float)));
    gpuErrchk(cudaMalloc(&d_stats, sizeof(Stats)));
    gpuErrchk(cudaMemcpy(d_a, h.data(), n * sizeof(Cell), cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_b, d_a, n * sizeof(Cell), cudaMemcpyDeviceToDevice));

    dim3 block(64, 2, 2);
    dim3 grid((prm.nx + block.x - 1) / block.x, (prm.ny + block.y - 1) / block.y, (prm.nz + block.z - 1) / block.z);
    Stats st = { 0, 0, 0 };
    for (int s = 0; s < steps; ++s) {
        streamCollide<<<grid, block>>>(d_a, d_b, prm);
        Cell* t = d_a; d_a = d_b; d_b = t;
        if (s % 2 == 1) {
            computeMacro<<<(n + 127) / 128, 128>>>(d_a, d_macro, n);
            gpuErrchk(cudaMemset(d_stats, 0, sizeof(Stats)));
            reduceStats<<<528, 256>>>(d_macro, d_stats, n);
            vorticity<<<grid, block>>>(d_macro, d_curl, prm);
            gpuErrchk(cudaMemcpy(&st, d_stats, sizeof(Stats), cudaMemcpyDeviceToHost));
        }
        gpuErrchk(cudaGetLastError());
    }
    gpuErrchk(cudaDeviceSynchronize());

    std::vector<float> curl(n);
    gpuErrchk(cudaMemcpy(curl.data(), d_curl, n * sizeof(float), cudaMemcpyDeviceToHost));
    double cs = 0;
    for (int i = 0; i < n; ++i) cs += curl[i];
    printf("mass %.4f kinetic %.6f px %.4f vorticity %.5f\n", st.mass, st.kinetic, st.momentumX, cs);

    cudaFree(d_a); cudaFree(d_b); cudaFree(d_macro); cudaFree(d_curl); cudaFree(d_stats);
    return 0;
}
