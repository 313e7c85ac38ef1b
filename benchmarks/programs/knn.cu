// Brute force k-nearest-neighbour classifier.
// One thread per query, neighbours kept sorted in a small per-thread list.
#include <cstdio>
#include <cstdlib>
#include <cfloat>
#include <cmath>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                     \
    do {                                                                     \
        cudaError_t err_ = (call);                                           \
        if (err_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d CUDA error: %s\n", __FILE__, __LINE__,    \
                    cudaGetErrorString(err_));                               \
            exit(EXIT_FAILURE);                                              \
        }                                                                    \
    } while (0)

static const int NUM_CLASSES = 10;
static const int KNN = 8;
static const int NUM_REF = 12288;
static const int NUM_QUERY = 65536;
static const int REPEAT = 6;

struct Point {
    float x, y, z;
    float r, g, b;
    int label;
    int id;
};

struct Neighbor {
    float dist;
    int index;
};

struct Prediction {
    int label;
    float confidence;
    float meanDist;
    unsigned char correct;
};

struct Scale {
    float mul[6];
    float sub[6];
};

__device__ __forceinline__ float squaredDistance(const Point& a, const Point& b)
{
    float dx = a.x - b.x;
    float dy = a.y - b.y;
    float dz = a.z - b.z;
    float dr = a.r - b.r;
    float dg = a.g - b.g;
    float db = a.b - b.b;
    return dx * dx + dy * dy + dz * dz + 0.5f * (dr * dr + dg * dg + db * db);
}

template <int K>
__device__ __forceinline__ void insertNeighbor(Neighbor (&list)[K], float d, int idx)
{
    // list is sorted ascending, caller has checked d < list[K-1].dist
    list[K - 1].dist = d;
    list[K - 1].index = idx;
#pragma unroll
    for (int j = K - 1; j > 0; --j) {
        if (list[j].dist < list[j - 1].dist) {
            Neighbor t = list[j];
            list[j] = list[j - 1];
            list[j - 1] = t;
        }
    }
}

// standardise all coordinates
__global__ void scalePoints(const Point* in, Point* out, int n, Scale s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Point p = in[i];
    p.x = (p.x - s.sub[0]) * s.mul[0];
    p.y = (p.y - s.sub[1]) * s.mul[1];
    p.z = (p.z - s.sub[2]) * s.mul[2];
    p.r = (p.r - s.sub[3]) * s.mul[3];
    p.g = (p.g - s.sub[4]) * s.mul[4];
    p.b = (p.b - s.sub[5]) * s.mul[5];
    out[i] = p;
}

template <int K>
__global__ void knnSearch(const Point* __restrict__ refs, int numRefs,
                          const Point* __restrict__ queries, int numQueries,
                          Neighbor* __restrict__ result)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= numQueries) return;
    Point me = queries[q];
    Neighbor best[K];
#pragma unroll
    for (int j = 0; j < K; ++j) {
        best[j].dist = FLT_MAX;
        best[j].index = -1;
    }
    for (int i = 0; i < numRefs; ++i) {
        float d = squaredDistance(me, refs[i]);
        if (d < best[K - 1].dist)
            insertNeighbor<K>(best, d, i);
    }
#pragma unroll
    for (int j = 0; j < K; ++j)
        result[(size_t)q * K + j] = best[j];
}

// inverse distance weighted vote
template <int K>
__global__ void voteLabels(const Point* refs, const Point* queries, const Neighbor* nbrs,
                           Prediction* pred, int numQueries)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= numQueries) return;
    float votes[NUM_CLASSES];
    for (int c = 0; c < NUM_CLASSES; ++c) votes[c] = 0.0f;
    float total = 0.0f, distSum = 0.0f;
    int found = 0;
    for (int j = 0; j < K; ++j) {
        Neighbor nb = nbrs[(size_t)q * K + j];
        if (nb.index < 0) continue;
        float w = 1.0f / (sqrtf(nb.dist) + 1e-3f);
        votes[refs[nb.index].label] += w;
        total += w;
        distSum += sqrtf(nb.dist);
        ++found;
    }
    int winner = 0;
    for (int c = 1; c < NUM_CLASSES; ++c)
        if (votes[c] > votes[winner]) winner = c;
    Prediction p;
    p.label = winner;
    p.confidence = total > 0.0f ? votes[winner] / total : 0.0f;
    p.meanDist = found ? distSum / found : 0.0f;
    p.correct = (winner == queries[q].label);
    pred[q] = p;
}

static unsigned long long g_seed = 88172645463325252ULL;
static float frand()
{
    g_seed ^= g_seed << 13;
    g_seed ^= g_seed >> 7;
    g_seed ^= g_seed << 17;
    return (float)((g_seed >> 40) * (1.0 / 16777216.0));
}

static void makeCloud(std::vector<Point>& pts, const Point* centers)
{
    for (size_t i = 0; i < pts.size(); ++i) {
        int c = (int)(frand() * NUM_CLASSES);
        if (c >= NUM_CLASSES) c = NUM_CLASSES - 1;
        Point& p = pts[i];
        p.x = centers[c].x + (frand() + frand() - 1.0f) * 6.0f;
        p.y = centers[c].y + (frand() + frand() - 1.0f) * 6.0f;
        p.z = centers[c].z + (frand() + frand() - 1.0f) * 2.0f;
        p.r = centers[c].r + (frand() - 0.5f) * 80.0f;
        p.g = centers[c].g + (frand() - 0.5f) * 80.0f;
        p.b = centers[c].b + (frand() - 0.5f) * 80.0f;
        p.label = c;
        p.id = (int)i;
    }
}

static Scale fitScale(const std::vector<Point>& pts)
{
    Scale s;
    for (int d = 0; d < 6; ++d) {
        double m = 0, m2 = 0;
        for (const Point& p : pts) {
            float v[6] = {p.x, p.y, p.z, p.r, p.g, p.b};
            m += v[d];
            m2 += (double)v[d] * v[d];
        }
        m /= pts.size();
        m2 = m2 / pts.size() - m * m;
        s.sub[d] = (float)m;
        s.mul[d] = (float)(1.0 / sqrt(m2 + 1e-9));
    }
    return s;
}

int main()
{
    Point centers[NUM_CLASSES];
    for (int c = 0; c < NUM_CLASSES; ++c) {
        Point p = {frand() * 20, frand() * 20, frand() * 5,
                   frand() * 255, frand() * 255, frand() * 255, c, c};
        centers[c] = p;
    }
    std::vector<Point> refs(NUM_REF), queries(NUM_QUERY);
    makeCloud(refs, centers);
    makeCloud(queries, centers);
    Scale sc = fitScale(refs);
    Point *dRefs, *dQueriesRaw, *dQueries;
    Neighbor* dNbr;
    Prediction* dPred;
    CUDA_CHECK(cudaMalloc(&dRefs, NUM_REF * sizeof(Point)));
    CUDA_CHECK(cudaMalloc(&dQueriesRaw, NUM_QUERY * sizeof(Point)));
    CUDA_CHECK(cudaMalloc(&dQueries, NUM_QUERY * sizeof(Point)));
    CUDA_CHECK(cudaMalloc(&dNbr, (size_t)NUM_QUERY * KNN * sizeof(Neighbor)));
    CUDA_CHECK(cudaMalloc(&dPred, NUM_QUERY * sizeof(Prediction)));
    // the reference set is standardised once on the host
    for (Point& p : refs) {
        p.x = (p.x - sc.sub[0]) * sc.mul[0];  p.y = (p.y - sc.sub[1]) * sc.mul[1];
        p.z = (p.z - sc.sub[2]) * sc.mul[2];  p.r = (p.r - sc.sub[3]) * sc.mul[3];
        p.g = (p.g - sc.sub[4]) * sc.mul[4];  p.b = (p.b - sc.sub[5]) * sc.mul[5];
    }
    CUDA_CHECK(cudaMemcpy(dRefs, refs.data(), NUM_REF * sizeof(Point), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(dQueriesRaw, queries.data(), NUM_QUERY * sizeof(Point), cudaMemcpyHostToDevice));
    const int threads = 128;
    const int blocks = (NUM_QUERY + threads - 1) / threads;
    for (int rep = 0; rep < REPEAT; ++rep) {
        scalePoints<<<blocks, threads>>>(dQueriesRaw, dQueries, NUM_QUERY, sc);
        knnSearch<KNN><<<blocks, threads>>>(dRefs, NUM_REF, dQueries, NUM_QUERY, dNbr);
        voteLabels<KNN><<<blocks, threads>>>(dRefs, dQueries, dNbr, dPred, NUM_QUERY);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    std::vector<Prediction> pred(NUM_QUERY);
    CUDA_CHECK(cudaMemcpy(pred.data(), dPred, NUM_QUERY * sizeof(Prediction), cudaMemcpyDeviceToHost));
    long correct = 0;
    double conf = 0, md = 0;
    for (const Prediction& p : pred) {
        correct += p.correct;
        conf += p.confidence;
        md += p.meanDist;
    }
    printf("accuracy %.4f  mean confidence %.5f  mean distance %.5f\n",
           (double)correct / NUM_QUERY, conf / NUM_QUERY, md / NUM_QUERY);
    cudaFree(dRefs);
    cudaFree(dQueriesRaw);
    cudaFree(dQueries);
    cudaFree(dNbr);
    cudaFree(dPred);
    return 0;
}
