// Sorts particles along a Morton curve with an LSD radix sort of (key, value)
// pairs, 4 bits per pass, and gathers the particles in the new order.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

typedef unsigned int uint;

#define BITS      4
#define BUCKETS   (1 << BITS)
#define THREADS   256
#define ITEMS     4
#define TILE      (THREADS * ITEMS)

#define CHECK(x)                                                            \
    do {                                                                    \
        cudaError_t _e = (x);                                               \
        if (_e != cudaSuccess) {                                            \
            printf("%s failed: %s\n", #x, cudaGetErrorString(_e));          \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

struct Vec3 {
    float x, y, z;
};

__host__ __device__ inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ inline Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__host__ __device__ inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Particle {
    Vec3 pos;
    Vec3 vel;
    float mass;
    int species;
};

struct Pair {
    uint key;
    uint value;
};

__device__ inline uint spreadBits(uint v) {
    v = min(v, 1023u);
    v = (v * 0x00010001u) & 0xFF0000FFu;
    v = (v * 0x00000101u) & 0x0F00F00Fu;
    v = (v * 0x00000011u) & 0xC30C30C3u;
    v = (v * 0x00000005u) & 0x49249249u;
    return v;
}

__global__ void makePairs(const Particle* particles, Pair* pairs, int n, Vec3 origin, float invCell) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Vec3 p = (particles[i].pos - origin) * invCell;
    uint key = spreadBits((uint)fmaxf(p.x, 0.f)) * 4 + spreadBits((uint)fmaxf(p.y, 0.f)) * 2 +
               spreadBits((uint)fmaxf(p.z, 0.f));
    pairs[i].key = key;
    pairs[i].value = i;
}

// digit counts of one tile, stored bucket-major
__global__ void digitHistogram(const Pair* in, int n, int shift, uint* hist) {
    __shared__ uint count[BUCKETS];
    if (threadIdx.x < BUCKETS) count[threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * TILE;
    for (int k = 0; k < ITEMS; k++) {
        int i = base + k * THREADS + threadIdx.x;
        if (i < n) atomicAdd(&count[(in[i].key >> shift) & (BUCKETS - 1)], 1u);
    }
    __syncthreads();
    if (threadIdx.x < BUCKETS) hist[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

// exclusive scan of the values held by the threads of a block
__device__ uint blockExclusiveScan(uint v, uint* total) {
    __shared__ uint warpSums[32];
    int lane = threadIdx.x & 31;
    int wid = threadIdx.x >> 5;
    uint x = v;
    for (int o = 1; o < 32; o <<= 1) {
        uint y = __shfl_up_sync(0xffffffffu, x, o);
        if (lane >= o) x += y;
    }
    if (lane == 31) warpSums[wid] = x;
    __syncthreads();
    if (wid == 0) {
        uint w = lane < (int)(blockDim.x >> 5) ? warpSums[lane] : 0u;
        for (int o = 1; o < 32; o <<= 1) {
            uint y = __shfl_up_sync(0xffffffffu, w, o);
            if (lane >= o) w += y;
        }
        warpSums[lane] = w;
    }
    __syncthreads();
    uint offset = wid > 0 ? warpSums[wid - 1] : 0u;
    *total = warpSums[31];
    return offset + x - v;
}

__global__ void scanTiles(uint* data, int n, uint* sums) {
    uint v[ITEMS];
    uint mine = 0;
    int base = blockIdx.x * TILE + threadIdx.x * ITEMS;
    for (int k = 0; k < ITEMS; k++) {
        v[k] = base + k < n ? data[base + k] : 0u;
        mine += v[k];
    }
    uint total;
    uint run = blockExclusiveScan(mine, &total);
    for (int k = 0; k < ITEMS; k++) {
        if (base + k < n) data[base + k] = run;
        run += v[k];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void scanSums(uint* sums, int n) {
    uint total;
    uint v = threadIdx.x < n ? sums[threadIdx.x] : 0u;
    uint e = blockExclusiveScan(v, &total);
    if (threadIdx.x < n) sums[threadIdx.x] = e;
}

__global__ void addSums(uint* data, int n, const uint* sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += sums[i / TILE];
}

// stable scatter; every thread handles ITEMS consecutive pairs
__global__ void scatterPairs(const Pair* __restrict__ in, Pair* __restrict__ out, int n, int shift,
                             const uint* __restrict__ offsets) {
    __shared__ uint rank[BUCKETS * THREADS];
    __shared__ uint start[BUCKETS];
    const int t = threadIdx.x;
    const int base = blockIdx.x * TILE + t * ITEMS;
    Pair mine[ITEMS];
    for (int b = 0; b < BUCKETS; b++) rank[b * THREADS + t] = 0;
    for (int k = 0; k < ITEMS; k++) {
        if (base + k < n) {
            mine[k] = in[base + k];
            rank[((mine[k].key >> shift) & (BUCKETS - 1)) * THREADS + t]++;
        }
    }
    __syncthreads();
    // exclusive scan over the whole bucket-major table, BUCKETS entries per thread
    uint sum = 0;
    for (int j = 0; j < BUCKETS; j++) sum += rank[t * BUCKETS + j];
    uint total;
    uint run = blockExclusiveScan(sum, &total);
    for (int j = 0; j < BUCKETS; j++) {
        uint c = rank[t * BUCKETS + j];
        rank[t * BUCKETS + j] = run;
        run += c;
    }
    __syncthreads();
    if (t < BUCKETS) start[t] = rank[t * THREADS];
    __syncthreads();
    for (int k = 0; k < ITEMS; k++) {
        if (base + k < n) {
            uint b = (mine[k].key >> shift) & (BUCKETS - 1);
            uint local = rank[b * THREADS + t]++ - start[b];
            out[offsets[b * gridDim.x + blockIdx.x] + local] = mine[k];
        }
    }
}

__global__ void gatherParticles(const Pair* __restrict__ pairs, const Particle* __restrict__ src,
                                Particle* __restrict__ dst, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[pairs[i].value];
}

// counts order violations (also of stability) and sums kinetic energy
__global__ void verify(const Pair* pairs, const Particle* sorted, int n, uint* bad, double* energy) {
    double e = 0.0;
    uint wrong = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        if (i + 1 < n) {
            Pair a = pairs[i], b = pairs[i + 1];
            if (a.key > b.key || (a.key == b.key && a.value > b.value)) wrong++;
        }
        e += 0.5 * sorted[i].mass * dot(sorted[i].vel, sorted[i].vel);
    }
    for (int o = 16; o; o >>= 1) {
        e += __shfl_down_sync(0xffffffffu, e, o);
        wrong += __shfl_down_sync(0xffffffffu, wrong, o);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(energy, e);
        if (wrong) atomicAdd(bad, wrong);
    }
}

static float urand() { return rand() / (RAND_MAX + 1.0f); }

int main() {
    const int n = 4000000;
    const int rounds = 5;
    const float box = 64.0f;
    srand(31337);
    std::vector<Particle> h(n);
    for (int i = 0; i < n; i++) {
        h[i].pos = {urand() * box, urand() * box, urand() * urand() * box};
        h[i].vel = {urand() - 0.5f, urand() - 0.5f, urand() - 0.5f};
        h[i].mass = 0.5f + urand();
        h[i].species = rand() % 3;
    }
    const int tiles = (n + TILE - 1) / TILE;
    const int histSize = tiles * BUCKETS;
    const int scanBlocks = (histSize + TILE - 1) / TILE;
    if (scanBlocks > 128) {
        printf("input too large\n");
        return 1;
    }
    Particle *dPart, *dSorted;
    Pair *dA, *dB;
    uint *dHist, *dSums, *dBad;
    double* dEnergy;
    CHECK(cudaMalloc(&dPart, n * sizeof(Particle)));
    CHECK(cudaMalloc(&dSorted, n * sizeof(Particle)));
    CHECK(cudaMalloc(&dA, n * sizeof(Pair)));
    CHECK(cudaMalloc(&dB, n * sizeof(Pair)));
    CHECK(cudaMalloc(&dHist, histSize * sizeof(uint)));
    CHECK(cudaMalloc(&dSums, 128 * sizeof(uint)));
    CHECK(cudaMalloc(&dBad, sizeof(uint)));
    CHECK(cudaMalloc(&dEnergy, sizeof(double)));
    CHECK(cudaMemcpy(dPart, h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dBad, 0, sizeof(uint)));
    CHECK(cudaMemset(dEnergy, 0, sizeof(double)));
    for (int r = 0; r < rounds; r++) {
        Vec3 origin = {0.01f * r, 0.0f, 0.0f};
        makePairs<<<(n + 255) / 256, 256>>>(dPart, dA, n, origin, 1024.0f / box);
        for (int shift = 0; shift < 32; shift += BITS) {
            digitHistogram<<<tiles, THREADS>>>(dA, n, shift, dHist);
            scanTiles<<<scanBlocks, THREADS>>>(dHist, histSize, dSums);
            scanSums<<<1, 128>>>(dSums, scanBlocks);
            addSums<<<(histSize + 255) / 256, 256>>>(dHist, histSize, dSums);
            scatterPairs<<<tiles, THREADS>>>(dA, dB, n, shift, dHist);
            Pair* t = dA; dA = dB; dB = t;
        }
        gatherParticles<<<(n + 127) / 128, 128>>>(dA, dPart, dSorted, n);
        verify<<<528, 256>>>(dA, dSorted, n, dBad, dEnergy);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaDeviceSynchronize());
    uint bad;
    double energy;
    CHECK(cudaMemcpy(&bad, dBad, sizeof(bad), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&energy, dEnergy, sizeof(energy), cudaMemcpyDeviceToHost));
    printf("%s: %u order violations, kinetic energy %.3f\n", bad ? "FAILED" : "OK", bad, energy / rounds);
    cudaFree(dPart); cudaFree(dSorted); cudaFree(dA); cudaFree(dB);
    cudaFree(dHist); cudaFree(dSums); cudaFree(dBad); cudaFree(dEnergy);
    return 0;
}
