// 3D flocking (Reynolds boids) on a uniform grid.
// Grid build: count -> scan (host) -> fill -> per-cell index sort.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda_runtime.h>

#define N_BOIDS   400000
#define N_STEPS   8
#define GRID_DIM  64
#define N_CELLS   (GRID_DIM * GRID_DIM * GRID_DIM)
#define WORLD     (float)(GRID_DIM * 2)
#define CELL_SIZE 2.0f

#define CHK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { \
    printf("Error %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); return 1; } } while (0)

struct Boid {
    float4 pos;         // w: body size
    float4 vel;         // w: current speed
    float3 steer;
    int    flock;
    float  hunger;
    int    cell;
    int    neighbours;
    bool   alarmed;
};

struct FlockTraits {
    float wSeparation, wAlignment, wCohesion, wGoal;
    float maxSpeed, minSpeed, maxForce;
    float3 goal;
};

struct Predator { float3 pos; float fearRadius; };

__constant__ FlockTraits cTraits[4];
__constant__ Predator    cPredators[8];

template <class T4>
__device__ __forceinline__ float3 xyz(const T4 &v) { return make_float3(v.x, v.y, v.z); }
__device__ __forceinline__ float3 add(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ __forceinline__ float3 sub(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ __forceinline__ float3 mul(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ __forceinline__ float len2(float3 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
__device__ __forceinline__ float3 limit(float3 a, float m)
{
    float l2 = len2(a);
    return l2 > m * m ? mul(a, m * rsqrtf(l2)) : a;
}

__device__ __forceinline__ int gridCoord(float x)
{
    return min(max((int)(x / CELL_SIZE), 0), GRID_DIM - 1);
}

__global__ void countCells(Boid *boids, int *cellCount, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = (gridCoord(boids[i].pos.z) * GRID_DIM + gridCoord(boids[i].pos.y)) * GRID_DIM
              + gridCoord(boids[i].pos.x);
        boids[i].cell = c;
        atomicAdd(&cellCount[c], 1);
    }
}

__global__ void fillCells(const Boid *boids, int *cursor, int *sorted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sorted[atomicAdd(&cursor[boids[i].cell], 1)] = i;
}

// keeps the result independent of the order of the atomics
__global__ void orderCells(const int *cellStart, int *sorted, int nCells)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= nCells) return;
    int b = cellStart[c], e = cellStart[c + 1];
    for (int i = b + 1; i < e; i++) {
        int v = sorted[i], j = i - 1;
        while (j >= b && sorted[j] > v) { sorted[j + 1] = sorted[j]; j--; }
        sorted[j + 1] = v;
    }
}

__global__ void computeSteering(Boid *boids, const int *__restrict__ cellStart,
                                const int *__restrict__ sorted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float3 p = xyz(boids[i].pos), v = xyz(boids[i].vel);
    int myFlock = boids[i].flock;
    float mySize = boids[i].pos.w;
    float3 sep = make_float3(0, 0, 0), ali = sep, coh = sep;
    int mates = 0, seen = 0;

    int gx = gridCoord(p.x), gy = gridCoord(p.y), gz = gridCoord(p.z);
    for (int z = max(gz - 1, 0); z <= min(gz + 1, GRID_DIM - 1); z++)
    for (int y = max(gy - 1, 0); y <= min(gy + 1, GRID_DIM - 1); y++)
    for (int x = max(gx - 1, 0); x <= min(gx + 1, GRID_DIM - 1); x++) {
        int c = (z * GRID_DIM + y) * GRID_DIM + x;
        for (int k = cellStart[c]; k < cellStart[c + 1]; k++) {
            int j = sorted[k];
            if (j == i) continue;
            float3 d = sub(p, xyz(boids[j].pos));
            float d2 = len2(d);
            if (d2 > CELL_SIZE * CELL_SIZE) continue;
            seen++;
            float reach = 0.5f + mySize + boids[j].pos.w;
            if (d2 < reach * reach)
                sep = add(sep, mul(d, 1.0f / (d2 + 0.01f)));
            if (boids[j].flock == myFlock) {
                ali = add(ali, xyz(boids[j].vel));
                coh = add(coh, xyz(boids[j].pos));
                mates++;
            }
        }
    }

    const FlockTraits &t = cTraits[myFlock];
    float3 s = mul(sep, t.wSeparation);
    if (mates > 0) {
        float inv = 1.0f / mates;
        s = add(s, mul(sub(mul(ali, inv), v), t.wAlignment));
        s = add(s, mul(sub(mul(coh, inv), p), t.wCohesion));
    }
    float3 toGoal = sub(t.goal, p);
    s = add(s, mul(toGoal, t.wGoal * (1.0f + boids[i].hunger) * rsqrtf(len2(toGoal) + 1.0f)));

    boids[i].steer = limit(s, t.maxForce);
    boids[i].neighbours = seen;
}

__global__ void avoidPredators(Boid *boids, int n, int nPred)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool alarmed = false;
    for (int k = 0; k < nPred; k++) {
        float3 d = sub(xyz(boids[i].pos), cPredators[k].pos);
        float d2 = len2(d), r = cPredators[k].fearRadius;
        if (d2 < r * r) {
            boids[i].steer = add(boids[i].steer, mul(d, 8.0f / (d2 + 1.0f)));
            alarmed = true;
        }
    }
    boids[i].alarmed = alarmed;
}

__global__ void moveBoids(Boid *boids, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Boid &b = boids[i];
    const FlockTraits &t = cTraits[b.flock];

    float3 v = add(xyz(b.vel), mul(b.steer, dt));
    float top = b.alarmed ? 1.5f * t.maxSpeed : t.maxSpeed;
    v = limit(v, top);
    float sp = sqrtf(len2(v));
    if (sp < t.minSpeed) {
        v = mul(v, t.minSpeed / (sp + 1e-6f)); sp = t.minSpeed;
    }
    float3 p = add(xyz(b.pos), mul(v, dt));
    if (p.x < 0 || p.x > WORLD) { v.x = -v.x; p.x = fminf(fmaxf(p.x, 0.f), WORLD); }
    if (p.y < 0 || p.y > WORLD) { v.y = -v.y; p.y = fminf(fmaxf(p.y, 0.f), WORLD); }
    if (p.z < 0 || p.z > WORLD) { v.z = -v.z; p.z = fminf(fmaxf(p.z, 0.f), WORLD); }

    b.pos.x = p.x; b.pos.y = p.y; b.pos.z = p.z;
    b.vel = make_float4(v.x, v.y, v.z, sp);
    b.hunger = fminf(1.0f, b.hunger + 0.02f * dt * sp);
}

static float uni(float lo, float hi) { return lo + (hi - lo) * (rand() / (float)RAND_MAX); }

int main()
{
    srand(4711);
    FlockTraits traits[4];
    for (int f = 0; f < 4; f++) {
        traits[f].wSeparation = 1.5f;
        traits[f].wAlignment = 0.8f + 0.1f * f;
        traits[f].wCohesion = 0.6f; traits[f].wGoal = 0.4f;
        traits[f].maxSpeed = 6.0f + f; traits[f].minSpeed = 1.0f;
        traits[f].maxForce = 12.0f;
        traits[f].goal = make_float3(uni(20, 100), uni(20, 100), uni(20, 100));
    }
    Predator preds[8];
    for (int k = 0; k < 8; k++) {
        preds[k].pos = make_float3(uni(0, WORLD), uni(0, WORLD), uni(0, WORLD));
        preds[k].fearRadius = uni(6, 14);
    }

    Boid *boids = (Boid *)calloc(N_BOIDS, sizeof(Boid));
    for (int i = 0; i < N_BOIDS; i++) {
        Boid &b = boids[i];
        b.flock = rand() % 4;
        // denser towards the middle of the world
        float cz = uni(-1, 1), phi = uni(0, 6.2831853f), s = sqrtf(1 - cz * cz);
        float r = 0.5f * WORLD * powf(uni(0, 1), 0.4f) * 0.99f;
        b.pos = make_float4(0.5f * WORLD + r * s * cosf(phi), 0.5f * WORLD + r * s * sinf(phi),
                            0.5f * WORLD + r * cz, uni(0.05f, 0.25f));
        b.vel = make_float4(uni(-3, 3), uni(-3, 3), uni(-3, 3), 0);
        b.hunger = uni(0, 0.5f);
    }

    Boid *dBoids; int *dStart, *dCursor, *dSorted;
    static int hStart[N_CELLS + 1];
    CHK(cudaMalloc(&dBoids, N_BOIDS * sizeof(Boid)));
    CHK(cudaMalloc(&dStart, (N_CELLS + 1) * sizeof(int)));
    CHK(cudaMalloc(&dCursor, N_CELLS * sizeof(int)));
    CHK(cudaMalloc(&dSorted, N_BOIDS * sizeof(int)));
    CHK(cudaMemcpyToSymbol(cTraits, traits, sizeof(traits)));
    CHK(cudaMemcpyToSymbol(cPredators, preds, sizeof(preds)));
    CHK(cudaMemcpy(dBoids, boids, N_BOIDS * sizeof(Boid), cudaMemcpyHostToDevice));

    const int nb = (N_BOIDS + 255) / 256;
    for (int step = 0; step < N_STEPS; step++) {
        CHK(cudaMemset(dCursor, 0, N_CELLS * sizeof(int)));
        countCells<<<nb, 256>>>(dBoids, dCursor, N_BOIDS);
        CHK(cudaMemcpy(hStart + 1, dCursor, N_CELLS * sizeof(int), cudaMemcpyDeviceToHost));
        hStart[0] = 0;
        for (int c = 0; c < N_CELLS; c++) hStart[c + 1] += hStart[c];
        CHK(cudaMemcpy(dStart, hStart, (N_CELLS + 1) * sizeof(int), cudaMemcpyHostToDevice));
        CHK(cudaMemcpy(dCursor, hStart, N_CELLS * sizeof(int), cudaMemcpyHostToDevice));
        fillCells<<<nb, 256>>>(dBoids, dCursor, dSorted, N_BOIDS);
        orderCells<<<N_CELLS / 128, 128>>>(dStart, dSorted, N_CELLS);
        computeSteering<<<nb, 256>>>(dBoids, dStart, dSorted, N_BOIDS);
        avoidPredators<<<nb, 256>>>(dBoids, N_BOIDS, 8);
        moveBoids<<<nb, 256>>>(dBoids, N_BOIDS, 0.02f);
        CHK(cudaGetLastError());
    }
    CHK(cudaMemcpy(boids, dBoids, N_BOIDS * sizeof(Boid), cudaMemcpyDeviceToHost));

    double sum = 0, speed = 0;
    long long nb_total = 0, alarmed = 0;
    for (int i = 0; i < N_BOIDS; i++) {
        sum += boids[i].pos.x + 2.0 * boids[i].pos.y + 3.0 * boids[i].pos.z;
        speed += boids[i].vel.w;
        nb_total += boids[i].neighbours;
        alarmed += boids[i].alarmed;
    }
    printf("pos %.5f speed %.5f nbrs %lld alarmed %lld\n", sum / N_BOIDS, speed / N_BOIDS, nb_total, alarmed);
    cudaFree(dBoids); cudaFree(dStart); cudaFree(dCursor); cudaFree(dSorted);
    free(boids);
    return 0;
}
