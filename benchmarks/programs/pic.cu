/*
 * 2D3V electrostatic particle-in-cell code, two species, periodic domain.
 * CIC weighting, Jacobi relaxation for the potential, Boris push with a
 * uniform out-of-plane magnetic field.
 */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <cuda_runtime.h>

#define NX 512
#define NY 512
#define NP (1 << 21)
#define NSTEPS 8
#define JACOBI_SWEEPS 6

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
static inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

typedef struct {
    float x, y;             /* position in units of cells */
    float vx, vy, vz;
    float ex, ey;           /* field at the particle */
    float weight;
    int species;
} particle_t;

typedef struct {
    float rho;
    float phi;
    float phi_new;
    float ex, ey;
} cell_t;

typedef struct {
    float charge;
    float qm;               /* charge over mass */
    float vth;
    float drift;
} species_t;

__constant__ species_t d_species[2];

__device__ __forceinline__ int wrapx(int i) { return i & (NX - 1); }
__device__ __forceinline__ int wrapy(int j) { return j & (NY - 1); }
__device__ __forceinline__ int idx(int i, int j) { return wrapy(j) * NX + wrapx(i); }

__global__ void clear_rho(cell_t *grid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < NX && j < NY)
        grid[j * NX + i].rho = 0.0f;
}

__global__ void deposit_charge(const particle_t *__restrict__ p, cell_t *grid, int np)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= np)
        return;

    float x = p[t].x, y = p[t].y;
    float q = p[t].weight * d_species[p[t].species].charge;
    int i = (int)floorf(x), j = (int)floorf(y);
    float wx = x - i, wy = y - j;

    atomicAdd(&grid[idx(i, j)].rho, q * (1.f - wx) * (1.f - wy));
    atomicAdd(&grid[idx(i + 1, j)].rho, q * wx * (1.f - wy));
    atomicAdd(&grid[idx(i, j + 1)].rho, q * (1.f - wx) * wy);
    atomicAdd(&grid[idx(i + 1, j + 1)].rho, q * wx * wy);
}

__global__ void jacobi_sweep(cell_t *grid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= NX || j >= NY)
        return;
    float s = grid[idx(i - 1, j)].phi + grid[idx(i + 1, j)].phi
            + grid[idx(i, j - 1)].phi + grid[idx(i, j + 1)].phi;
    cell_t *c = &grid[j * NX + i];
    c->phi_new = 0.25f * (s + c->rho);
}

__global__ void accept_phi(cell_t *grid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < NX && j < NY) {
        cell_t *c = &grid[j * NX + i];
        c->phi = c->phi_new;
    }
}

__global__ void compute_efield(cell_t *grid)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= NX || j >= NY)
        return;
    cell_t *c = &grid[j * NX + i];
    c->ex = 0.5f * (grid[idx(i - 1, j)].phi - grid[idx(i + 1, j)].phi);
    c->ey = 0.5f * (grid[idx(i, j - 1)].phi - grid[idx(i, j + 1)].phi);
}

__global__ void gather_field(particle_t *p, const cell_t *__restrict__ grid, int np)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= np)
        return;
    float x = p[t].x, y = p[t].y;
    int i = (int)floorf(x), j = (int)floorf(y);
    float wx = x - i, wy = y - j;

    const cell_t *c00 = grid + idx(i, j);
    const cell_t *c10 = grid + idx(i + 1, j);
    const cell_t *c01 = grid + idx(i, j + 1);
    const cell_t *c11 = grid + idx(i + 1, j + 1);
    float w00 = (1.f - wx) * (1.f - wy), w10 = wx * (1.f - wy);
    float w01 = (1.f - wx) * wy,         w11 = wx * wy;

    p[t].ex = w00 * c00->ex + w10 * c10->ex + w01 * c01->ex + w11 * c11->ex;
    p[t].ey = w00 * c00->ey + w10 * c10->ey + w01 * c01->ey + w11 * c11->ey;
}

__global__ void push_particles(particle_t *p, int np, float dt, float bz)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= np)
        return;
    particle_t *q = p + t;
    float h = 0.5f * dt * d_species[q->species].qm;

    /* half acceleration, rotation, half acceleration */
    float ux = q->vx + h * q->ex;
    float uy = q->vy + h * q->ey;
    float tz = h * bz;
    float sz = 2.f * tz / (1.f + tz * tz);
    float upx = ux + uy * tz;
    float upy = uy - ux * tz;
    ux += upy * sz;
    uy -= upx * sz;
    q->vx = ux + h * q->ex;
    q->vy = uy + h * q->ey;

    float x = q->x + dt * q->vx;
    float y = q->y + dt * q->vy;
    x -= NX * floorf(x / NX);
    y -= NY * floorf(y / NY);
    if (x >= NX) x = 0.f;
    if (y >= NY) y = 0.f;
    q->x = x;
    q->y = y;
}

static uint32_t rng_state = 2463534242u;
static float rng_uniform(void)
{
    rng_state ^= rng_state << 13;
    rng_state ^= rng_state >> 17;
    rng_state ^= rng_state << 5;
    return (rng_state >> 8) * (1.0f / 16777216.0f);
}
/* sum of uniforms, good enough for a maxwellian */
static float rng_gauss(void)
{
    float s = 0.f;
    for (int k = 0; k < 6; k++)
        s += rng_uniform();
    return (s - 3.0f) * 1.41421356f;
}

int main(void)
{
    const species_t sp[2] = {
        { -1.0f, -1.0f,  0.30f, 0.25f },
        {  1.0f,  0.02f, 0.02f, 0.00f },
    };
    size_t pbytes = sizeof(particle_t) * NP, gbytes = sizeof(cell_t) * NX * NY;
    particle_t *h_p = (particle_t *)malloc(pbytes);
    cell_t *h_g = (cell_t *)calloc(NX * NY, sizeof(cell_t));

    for (int t = 0; t < NP; t++) {
        particle_t *q = &h_p[t];
        q->species = t & 1;
        const species_t *s = &sp[q->species];
        float x = rng_uniform() * NX;
        /* seed a density perturbation for the electrons */
        if (q->species == 0)
            x += 2.0f * sinf(6.2831853f * 4.0f * x / NX);
        if (x < 0.f) x += NX;
        if (x >= NX) x -= NX;
        q->x = x;
        q->y = rng_uniform() * (NY - 0.001f);
        q->vx = s->vth * rng_gauss() + ((t & 2) ? s->drift : -s->drift);
        q->vy = s->vth * rng_gauss();
        q->vz = s->vth * rng_gauss();
        q->ex = q->ey = 0.f;
        q->weight = (float)(NX * NY) / NP * 2.0f;
    }

    particle_t *d_p;
    cell_t *d_g;
    gpuErrchk(cudaMalloc((void **)&d_p, pbytes));
    gpuErrchk(cudaMalloc((void **)&d_g, gbytes));
    gpuErrchk(cudaMemcpyToSymbol(d_species, sp, sizeof(sp)));
    gpuErrchk(cudaMemcpy(d_p, h_p, pbytes, cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_g, h_g, gbytes, cudaMemcpyHostToDevice));

    dim3 tb(32, 8), gb(NX / 32, NY / 8);
    int pthreads = 256, pblocks = (NP + pthreads - 1) / pthreads;

    for (int step = 0; step < NSTEPS; step++) {
        clear_rho<<<gb, tb>>>(d_g);
        deposit_charge<<<pblocks, pthreads>>>(d_p, d_g, NP);
        for (int s = 0; s < JACOBI_SWEEPS; s++) {
            jacobi_sweep<<<gb, tb>>>(d_g);
            accept_phi<<<gb, tb>>>(d_g);
        }
        compute_efield<<<gb, tb>>>(d_g);
        gather_field<<<pblocks, pthreads>>>(d_p, d_g, NP);
        push_particles<<<pblocks, pthreads>>>(d_p, NP, 0.2f, 0.5f);
        gpuErrchk(cudaPeekAtLastError());
    }
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy(h_p, d_p, pbytes, cudaMemcpyDeviceToHost));
    gpuErrchk(cudaMemcpy(h_g, d_g, gbytes, cudaMemcpyDeviceToHost));

    double ke = 0.0, fe = 0.0, rho2 = 0.0;
    for (int t = 0; t < NP; t++)
        ke += h_p[t].vx * h_p[t].vx + h_p[t].vy * h_p[t].vy + h_p[t].vz * h_p[t].vz;
    for (int c = 0; c < NX * NY; c++) {
        fe += h_g[c].ex * h_g[c].ex + h_g[c].ey * h_g[c].ey;
        rho2 += h_g[c].rho * h_g[c].rho;
    }
    printf("kinetic %.4e field %.4e rho2 %.4e\n", ke, fe, rho2);

    cudaFree(d_p);
    cudaFree(d_g);
    free(h_p);
    free(h_g);
    return 0;
}
