// Graph analytics on a CSR graph with vertex and edge records:
// PageRank (pull), level synchronous BFS, Bellman-Ford relaxation.
#include <cstdio>
#include <cstdlib>
#include <climits>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

typedef unsigned int uint;

#define CUDA_SAFE_CALL(call)                                                  \
    do {                                                                      \
        cudaError_t status = call;                                            \
        if (cudaSuccess != status) {                                          \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n",     \
                    __FILE__, __LINE__, cudaGetErrorString(status));          \
            exit(EXIT_FAILURE);                                               \
        }                                                                     \
    } while (0)

struct Vertex {
    int   rowBegin, rowEnd;
    int   outDegree;
    int   level, dist, parent;
    float rank;
    float nextRank;
    float contrib;
    bool  active, nextActive;
};

struct Edge {
    int   src;
    int   dst;
    int   weight;
    float capacity;
};

struct Control {
    int   changed;
    int   frontier;
    float delta;
    float dangling;
};

// ---- pagerank
__global__ void prContrib(Vertex *v, int nv, Control *ctl)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float lost = 0.0f;
    if (i < nv) {
        if (v[i].outDegree > 0)
            v[i].contrib = v[i].rank / v[i].outDegree;
        else {
            v[i].contrib = 0.0f;
            lost = v[i].rank;
        }
    }
    for (int o = 16; o; o >>= 1) lost += __shfl_xor_sync(~0u, lost, o);
    if ((threadIdx.x & 31) == 0 && lost > 0.0f) atomicAdd(&ctl->dangling, lost);
}

// edges are stored by destination (in-edges of each vertex are contiguous)
__global__ void prGather(Vertex *v, const Edge *__restrict__ e, int nv, float damping, const Control *ctl)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nv) return;
    float sum = 0.0f;
    const int end = v[i].rowEnd;
    for (int k = v[i].rowBegin; k < end; k++)
        sum += v[e[k].src].contrib;
    v[i].nextRank = (1.0f - damping) / nv + damping * (sum + ctl->dangling / nv);
}

__global__ void prCommit(Vertex *v, int nv, Control *ctl)
{
    __shared__ float red[8];
    float d = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nv; i += gridDim.x * blockDim.x) {
        d += fabsf(v[i].nextRank - v[i].rank);
        v[i].rank = v[i].nextRank;
    }
    for (int o = 16; o; o >>= 1) d += __shfl_down_sync(~0u, d, o);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) red[warp] = d;
    __syncthreads();
    if (threadIdx.x == 0) {
        float t = 0.0f;
        for (int w = 0; w < 8; w++) t += red[w];
        atomicAdd(&ctl->delta, t);
    }
}

// ---- bfs
__global__ void bfsReset(Vertex *v, int nv, int source)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nv) return;
    v[i].level = i == source ? 0 : INT_MAX;
    v[i].dist = i == source ? 0 : INT_MAX / 2;
    v[i].parent = -1;
    v[i].active = i == source;
    v[i].nextActive = false;
}

// bottom-up step: every unvisited vertex looks for a parent in the frontier
__global__ void bfsPull(Vertex *v, const Edge *__restrict__ e, int nv, int depth, Control *ctl)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nv || v[i].level != INT_MAX) return;
    for (int k = v[i].rowBegin; k < v[i].rowEnd; k++) {
        int s = e[k].src;
        if (v[s].active) {
            v[i].level = depth + 1;
            v[i].parent = s;
            v[i].nextActive = true;
            atomicAdd(&ctl->frontier, 1);
            break;
        }
    }
}

__global__ void bfsAdvance(Vertex *v, int nv)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < nv) {
        v[i].active = v[i].nextActive;
        v[i].nextActive = false;
    }
}

// ---- bellman-ford
__global__ void bfRelax(Vertex *v, const Edge *__restrict__ edges, int ne, Control *ctl)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= ne) return;
    const Edge e = edges[k];
    int du = v[e.src].dist;
    if (du >= INT_MAX / 2) return;
    int alt = du + e.weight;
    if (alt < v[e.dst].dist) {
        atomicMin(&v[e.dst].dist, alt);
        ctl->changed = 1;
    }
}

// tightest edge into each vertex on a shortest path
__global__ void bfParents(Vertex *v, const Edge *__restrict__ edges, int nv)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nv) return;
    int best = -1; float cap = 0.0f;
    for (int k = v[i].rowBegin; k < v[i].rowEnd; ++k) {
        const Edge &e = edges[k];
        if (v[e.src].dist + e.weight == v[i].dist && e.capacity > cap) {
            cap = e.capacity; best = e.src;
        }
    }
    v[i].parent = best;
}

static uint rngs = 123456789u;
static inline uint rnd()
{
    rngs ^= rngs << 13; rngs ^= rngs >> 17; rngs ^= rngs << 5;
    return rngs;
}

int main()
{
    const int nv = 1 << 20;
    // skewed in-degrees: mostly 2..10, some hubs
    std::vector<Vertex> v(nv);
    std::vector<Edge> e;
    e.reserve((size_t)nv * 9);
    for (int i = 0; i < nv; i++) v[i] = Vertex{};
    for (int i = 0; i < nv; i++) {
        int deg = 2 + rnd() % 9;
        if (rnd() % 500 == 0) deg += rnd() % 400;
        v[i].rowBegin = (int)e.size();
        for (int k = 0; k < deg; k++) {
            Edge x;
            // half local, half anywhere; low ids are more popular
            uint r = rnd();
            if (r & 1) x.src = (int)((i + 1 + (r >> 8) % 4096) % nv);
            else x.src = (int)(((unsigned long long)(rnd() >> 1) * (rnd() >> 1) >> 42) % nv);
            x.dst = i;
            x.weight = 1 + (int)(rnd() % 100);
            x.capacity = 0.1f + (float)(rnd() % 1000) * 0.01f;
            v[x.src].outDegree++;
            e.push_back(x);
        }
        v[i].rowEnd = (int)e.size();
        v[i].rank = 1.0f / nv;
    }
    const int ne = (int)e.size();

    Vertex *dv; Edge *de; Control *dc;
    CUDA_SAFE_CALL(cudaMalloc((void **)&dv, nv * sizeof(Vertex)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&de, ne * sizeof(Edge)));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dc, sizeof(Control)));
    CUDA_SAFE_CALL(cudaMemcpy(dv, v.data(), nv * sizeof(Vertex), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(de, e.data(), ne * sizeof(Edge), cudaMemcpyHostToDevice));

    const int T = 256;
    const int vb = (nv + T - 1) / T, eb = (ne + T - 1) / T;
    Control hc;
    float delta = 0.0f;
    for (int it = 0; it < 10; it++) {
        CUDA_SAFE_CALL(cudaMemset(dc, 0, sizeof(Control)));
        prContrib<<<vb, T>>>(dv, nv, dc);
        prGather<<<vb, T>>>(dv, de, nv, 0.85f, dc);
        prCommit<<<792, T>>>(dv, nv, dc);
        CUDA_SAFE_CALL(cudaMemcpy(&hc, dc, sizeof(Control), cudaMemcpyDeviceToHost));
        delta = hc.delta;
    }

    const int sources[5] = {99, 5000, 123456, 800001, 17};
    int depth = 0, reached = 0;
    for (int s : sources) {
        bfsReset<<<vb, T>>>(dv, nv, s);
        for (depth = 0; depth < 20; depth++) {
            CUDA_SAFE_CALL(cudaMemset(dc, 0, sizeof(Control)));
            bfsPull<<<vb, T>>>(dv, de, nv, depth, dc);
            bfsAdvance<<<vb, T>>>(dv, nv);
            CUDA_SAFE_CALL(cudaMemcpy(&hc, dc, sizeof(Control), cudaMemcpyDeviceToHost));
            reached += hc.frontier;
            if (hc.frontier == 0) break;
        }
    }

    int rounds = 0;   // distances start from the last source
    for (; rounds < 200; rounds++) {
        CUDA_SAFE_CALL(cudaMemset(dc, 0, sizeof(Control)));
        bfRelax<<<eb, T>>>(dv, de, ne, dc);
        CUDA_SAFE_CALL(cudaMemcpy(&hc, dc, sizeof(Control), cudaMemcpyDeviceToHost));
        if (!hc.changed) break;
    }
    for (int r = 0; r < 5; r++)
        bfParents<<<vb, T>>>(dv, de, nv);
    CUDA_SAFE_CALL(cudaGetLastError());
    CUDA_SAFE_CALL(cudaMemcpy(v.data(), dv, nv * sizeof(Vertex), cudaMemcpyDeviceToHost));

    double rs = 0; long long ds = 0;
    for (auto &x : v) { rs += x.rank; if (x.dist < INT_MAX / 2) ds += x.dist; }
    printf("graphs: edges %d rank sum %.5f delta %.3e reached %d depth %d dist sum %lld\n", ne, rs, delta, reached, depth, ds);
    cudaFree(dv); cudaFree(de); cudaFree(dc);
    return 0;
}
