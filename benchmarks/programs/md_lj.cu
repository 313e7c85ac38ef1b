// Lennard-Jones molecular dynamics (reduced units), binary mixture on an FCC
// lattice.  Velocity Verlet with Verlet neighbour lists rebuilt every few steps.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                      \
    do {                                                                      \
        cudaError_t err_ = (call);                                            \
        if (err_ != cudaSuccess) {                                            \
            fprintf(stderr, "CUDA error %s, line %d\n", cudaGetErrorString(err_), __LINE__); \
            exit(EXIT_FAILURE);                                               \
        }                                                                     \
    } while (0)

#define NTYPES    2
#define MAX_NEIGH 128
#define RCUT      2.5f
#define RSKIN     0.3f

struct Atom {
    float x, y, z;
    int   type;
    float vx, vy, vz;
    float mass;
    float fx, fy, fz;
    float pe;
    int   ix, iy, iz;     // periodic image counters
    int   id;
};

struct LJPair {
    float lj1, lj2, lj3, lj4, offset;   // force, energy, shift at the cut-off
};

struct Box {
    float len, inv;
    int ncell;
};

__constant__ LJPair c_pair[NTYPES * NTYPES];

__device__ __forceinline__ float minImage(float d, float len, float inv)
{
    return d - len * rintf(d * inv);
}

__host__ __device__ inline int cellCoord(float x, const Box &b)
{
    int c = (int)(x * b.inv * b.ncell);
    return c < 0 ? 0 : (c >= b.ncell ? b.ncell - 1 : c);
}

__global__ void buildNeighbours(const Atom *atoms, int n,
                                const int *cellStart, const int *cellAtoms,
                                int *numNeigh, int *neigh, Box box)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float xi = atoms[i].x, yi = atoms[i].y, zi = atoms[i].z;
    const int cx = cellCoord(xi, box), cy = cellCoord(yi, box), cz = cellCoord(zi, box);
    const float r2max = (RCUT + RSKIN) * (RCUT + RSKIN);
    int count = 0;

    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int jx = (cx + dx + box.ncell) % box.ncell;
                int jy = (cy + dy + box.ncell) % box.ncell;
                int jz = (cz + dz + box.ncell) % box.ncell;
                int c = (jz * box.ncell + jy) * box.ncell + jx;
                for (int k = cellStart[c]; k < cellStart[c + 1]; k++) {
                    int j = cellAtoms[k];
                    if (j == i) continue;
                    float rx = minImage(xi - atoms[j].x, box.len, box.inv);
                    float ry = minImage(yi - atoms[j].y, box.len, box.inv);
                    float rz = minImage(zi - atoms[j].z, box.len, box.inv);
                    if (rx * rx + ry * ry + rz * rz < r2max && count < MAX_NEIGH)
                        neigh[(size_t)count++ * n + i] = j;
                }
            }
    numNeigh[i] = count;
}

__global__ void computeForces(Atom *atoms, int n, const int *numNeigh,
                              const int *neigh, Box box)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float xi = atoms[i].x, yi = atoms[i].y, zi = atoms[i].z;
    const int ti = atoms[i].type;
    float fx = 0.f, fy = 0.f, fz = 0.f, pe = 0.f;
    const int nn = numNeigh[i];

    for (int k = 0; k < nn; k++) {
        int j = neigh[(size_t)k * n + i];
        float rx = minImage(xi - atoms[j].x, box.len, box.inv);
        float ry = minImage(yi - atoms[j].y, box.len, box.inv);
        float rz = minImage(zi - atoms[j].z, box.len, box.inv);
        float r2 = rx * rx + ry * ry + rz * rz;
        if (r2 < RCUT * RCUT) {
            const LJPair &p = c_pair[ti * NTYPES + atoms[j].type];
            float r2inv = 1.0f / r2;
            float r6inv = r2inv * r2inv * r2inv;
            float ff = r6inv * (p.lj1 * r6inv - p.lj2) * r2inv;
            fx += rx * ff; fy += ry * ff; fz += rz * ff;
            pe += r6inv * (p.lj3 * r6inv - p.lj4) - p.offset;
        }
    }
    atoms[i].fx = fx; atoms[i].fy = fy; atoms[i].fz = fz;
    atoms[i].pe = 0.5f * pe;
}

__device__ inline void wrap(float &x, int &image, float len)
{
    if (x < 0.f)        { x += len; image--; }
    else if (x >= len)  { x -= len; image++; }
}

__global__ void verletFirst(Atom *atoms, int n, float dt, Box box)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float h = 0.5f * dt / atoms[i].mass;
    atoms[i].vx += h * atoms[i].fx;
    atoms[i].vy += h * atoms[i].fy;
    atoms[i].vz += h * atoms[i].fz;
    atoms[i].x += dt * atoms[i].vx; atoms[i].y += dt * atoms[i].vy;
    atoms[i].z += dt * atoms[i].vz;
    wrap(atoms[i].x, atoms[i].ix, box.len);
    wrap(atoms[i].y, atoms[i].iy, box.len);
    wrap(atoms[i].z, atoms[i].iz, box.len);
}

__global__ void verletSecond(Atom *atoms, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float h = 0.5f * dt / atoms[i].mass;
    atoms[i].vx += h * atoms[i].fx;
    atoms[i].vy += h * atoms[i].fy;
    atoms[i].vz += h * atoms[i].fz;
}

static float frand(void) { return (float)rand() / (float)RAND_MAX; }

static void binAtoms(const std::vector<Atom> &a, const Box &box,
                     std::vector<int> &start, std::vector<int> &list)
{
    int nc = box.ncell * box.ncell * box.ncell;
    start.assign(nc + 1, 0);
    std::vector<int> cell(a.size());
    for (size_t i = 0; i < a.size(); i++) {
        cell[i] = (cellCoord(a[i].z, box) * box.ncell + cellCoord(a[i].y, box)) * box.ncell
                + cellCoord(a[i].x, box);
        start[cell[i] + 1]++;
    }
    for (int c = 0; c < nc; c++) start[c + 1] += start[c];
    std::vector<int> fill(start.begin(), start.end() - 1);
    for (size_t i = 0; i < a.size(); i++) list[fill[cell[i]]++] = (int)i;
}

int main(int argc, char **argv)
{
    const int   nside  = (argc > 1) ? atoi(argv[1]) : 36;
    const int   nsteps = 10, rebuild = 5;
    const float dt = 0.004f, density = 0.8442f;
    const float a0 = cbrtf(4.0f / density);
    const int   n = 4 * nside * nside * nside;

    Box box;
    box.len = nside * a0;
    box.inv = 1.0f / box.len;
    box.ncell = (int)(box.len / (RCUT + RSKIN));

    srand(87287);
    static const float basis[4][3] = {{0, 0, 0}, {.5f, .5f, 0}, {.5f, 0, .5f}, {0, .5f, .5f}};
    std::vector<Atom> h(n);
    int m = 0;
    for (int k = 0; k < nside; k++)
        for (int j = 0; j < nside; j++)
            for (int i = 0; i < nside; i++)
                for (int b = 0; b < 4; b++, m++) {
                    Atom &a = h[m];
                    a.x = (i + 0.25f + basis[b][0] + 0.04f * (frand() - 0.5f)) * a0;
                    a.y = (j + 0.25f + basis[b][1] + 0.04f * (frand() - 0.5f)) * a0;
                    a.z = (k + 0.25f + basis[b][2] + 0.04f * (frand() - 0.5f)) * a0;
                    a.vx = 2.4f * (frand() - 0.5f); a.vy = 2.4f * (frand() - 0.5f);
                    a.vz = 2.4f * (frand() - 0.5f);
                    a.type = (frand() < 0.2f) ? 1 : 0;
                    a.mass = a.type ? 1.5f : 1.0f;
                    a.fx = a.fy = a.fz = a.pe = 0.f;
                    a.ix = a.iy = a.iz = 0;
                    a.id = m;
                }

    LJPair pairs[NTYPES * NTYPES];
    const float eps[4] = {1.0f, 0.9f, 0.9f, 0.8f}, sig[4] = {1.0f, 0.97f, 0.97f, 0.94f};
    for (int p = 0; p < 4; p++) {
        float s6 = powf(sig[p], 6.0f), rc6 = powf(RCUT, -6.0f);
        pairs[p].lj1 = 48.f * eps[p] * s6 * s6;
        pairs[p].lj2 = 24.f * eps[p] * s6;
        pairs[p].lj3 = 4.f * eps[p] * s6 * s6;
        pairs[p].lj4 = 4.f * eps[p] * s6;
        pairs[p].offset = rc6 * (pairs[p].lj3 * rc6 - pairs[p].lj4);
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_pair, pairs, sizeof(pairs)));

    Atom *d_atoms;
    int *d_start, *d_list, *d_nn, *d_neigh;
    const int ncells = box.ncell * box.ncell * box.ncell;
    CUDA_CHECK(cudaMalloc(&d_atoms, n * sizeof(Atom)));
    CUDA_CHECK(cudaMalloc(&d_start, (ncells + 1) * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_list, n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_nn, n * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&d_neigh, (size_t)n * MAX_NEIGH * sizeof(int)));
    CUDA_CHECK(cudaMemcpy(d_atoms, h.data(), n * sizeof(Atom), cudaMemcpyHostToDevice));

    const int block = 128, grid = (n + block - 1) / block;
    std::vector<int> start, list(n);
    for (int step = 0; step < nsteps; step++) {
        if (step % rebuild == 0) {
            CUDA_CHECK(cudaMemcpy(h.data(), d_atoms, n * sizeof(Atom), cudaMemcpyDeviceToHost));
            binAtoms(h, box, start, list);
            CUDA_CHECK(cudaMemcpy(d_start, start.data(), (ncells + 1) * sizeof(int), cudaMemcpyHostToDevice));
            CUDA_CHECK(cudaMemcpy(d_list, list.data(), n * sizeof(int), cudaMemcpyHostToDevice));
            buildNeighbours<<<grid, block>>>(d_atoms, n, d_start, d_list, d_nn, d_neigh, box);
            if (step == 0) computeForces<<<grid, block>>>(d_atoms, n, d_nn, d_neigh, box);
        }
        verletFirst<<<grid, block>>>(d_atoms, n, dt, box);
        computeForces<<<grid, block>>>(d_atoms, n, d_nn, d_neigh, box);
        verletSecond<<<grid, block>>>(d_atoms, n, dt);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(h.data(), d_atoms, n * sizeof(Atom), cudaMemcpyDeviceToHost));

    double pe = 0, ke = 0;
    for (int i = 0; i < n; i++) {
        pe += h[i].pe;
        ke += 0.5 * h[i].mass * (h[i].vx * h[i].vx + h[i].vy * h[i].vy + h[i].vz * h[i].vz);
    }
    printf("atoms %d  PE/atom %.5f  KE/atom %.5f\n", n, pe / n, ke / n);

    cudaFree(d_atoms); cudaFree(d_start); cudaFree(d_list); cudaFree(d_nn); cudaFree(d_neigh);
    return 0;
}
