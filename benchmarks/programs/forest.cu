/*
 * Random forest regression: batched inference, split usage statistics and
 * leaf re-fitting on a second data set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <vector>

#define N_FEATURES   16
#define N_TREES      64
#define MAX_DEPTH    10
#define N_SAMPLES    (1 << 18)
#define REFIT_TREES  16
#define ITERATIONS   5

#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        exit(code);
    }
}

struct node_t {
    int   feature;     /* -1 for a leaf */
    float threshold;
    int   left;
    int   right;
    float value;
};

struct sample_t {
    float f[N_FEATURES];
    float target;
    int   id;
};

struct leaf_stat_t {
    float sum;
    int   count;
};

struct error_t_ {
    double sq;
    double abs;
};

__device__ int walk_tree(const node_t *nodes, int root, const sample_t *s)
{
    int cur = root;
    while (nodes[cur].feature >= 0) {
        float v = s->f[nodes[cur].feature];
        cur = (v <= nodes[cur].threshold) ? nodes[cur].left : nodes[cur].right;
    }
    return cur;
}

__global__ void predict_forest(const node_t *nodes, const int *roots, int n_trees,
                               const sample_t *samples, int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float acc = 0.f;
    for (int t = 0; t < n_trees; t++)
        acc += nodes[walk_tree(nodes, roots[t], &samples[i])].value;
    out[i] = acc / n_trees;
}

/* How often does each feature take part in a decision?  blockIdx.y is the tree. */
__global__ void split_usage(const node_t *nodes, const int *roots,
                            const sample_t *samples, int n,
                            unsigned long long *usage)
{
    __shared__ unsigned int local[N_FEATURES];
    if (threadIdx.x < N_FEATURES)
        local[threadIdx.x] = 0;
    __syncthreads();

    int root = roots[blockIdx.y];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int cur = root;
        int feat;
        while ((feat = nodes[cur].feature) >= 0) {
            atomicAdd(&local[feat], 1u);
            cur = samples[i].f[feat] <= nodes[cur].threshold ? nodes[cur].left : nodes[cur].right;
        }
    }
    __syncthreads();
    if (threadIdx.x < N_FEATURES)
        atomicAdd(&usage[threadIdx.x], (unsigned long long)local[threadIdx.x]);
}

__global__ void accumulate_leaves(const node_t *nodes, const int *roots,
                                  const sample_t *samples, int n, leaf_stat_t *stats)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int t = blockIdx.y;
    if (i >= n)
        return;
    int leaf = walk_tree(nodes, roots[t], samples + i);
    atomicAdd(&stats[leaf].sum, samples[i].target);
    atomicAdd(&stats[leaf].count, 1);
}

__global__ void refit_leaves(node_t *nodes, const leaf_stat_t *stats, int n_nodes, float blend)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n_nodes && nodes[i].feature < 0 && stats[i].count > 0) {
        float mean = stats[i].sum / stats[i].count;
        nodes[i].value = (1.f - blend) * nodes[i].value + blend * mean;
    }
}

__global__ void forest_error(const sample_t *samples, const float *pred, int n, error_t_ *err)
{
    __shared__ double s_sq[256];
    __shared__ double s_ab[256];
    int tid = threadIdx.x;
    double sq = 0, ab = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
        float d = pred[i] - samples[i].target;
        sq += (double)d * d;
        ab += fabsf(d);
    }
    s_sq[tid] = sq;
    s_ab[tid] = ab;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            s_sq[tid] += s_sq[tid + s];
            s_ab[tid] += s_ab[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) {
        atomicAdd(&err->sq, s_sq[0]);
        atomicAdd(&err->abs, s_ab[0]);
    }
}

static unsigned int lcg_state = 12345u;
static float rnd(void)
{
    lcg_state = lcg_state * 1664525u + 1013904223u;
    return (lcg_state >> 8) * (1.0f / 16777216.0f);
}

static float truth(const float *f)
{
    return 3.f * f[0] + sinf(6.f * f[1]) * f[2] - 2.f * f[3] * f[4] + (f[5] > 0.5f ? 1.f : 0.f);
}

/* builds a tree by random splits of the unit cube, the leaf value is the truth at the box centre */
static int build_tree(std::vector<node_t> &nodes, float *lo, float *hi, int depth)
{
    int me = (int)nodes.size();
    node_t nd;
    nd.feature = -1; nd.threshold = 0.f; nd.left = -1; nd.right = -1; nd.value = 0.f;
    nodes.push_back(nd);
    if (depth == MAX_DEPTH || (depth > 4 && rnd() < 0.08f)) {
        float mid[N_FEATURES];
        for (int k = 0; k < N_FEATURES; k++)
            mid[k] = 0.5f * (lo[k] + hi[k]);
        nodes[me].value = truth(mid);
        return me;
    }
    /* informative features are picked more often */
    int feat = rnd() < 0.75f ? (int)(rnd() * 6) : (int)(rnd() * N_FEATURES);
    float thr = lo[feat] + (hi[feat] - lo[feat]) * (0.3f + 0.4f * rnd());
    float keep = hi[feat];
    hi[feat] = thr;
    int l = build_tree(nodes, lo, hi, depth + 1);
    hi[feat] = keep;
    keep = lo[feat];
    lo[feat] = thr;
    int r = build_tree(nodes, lo, hi, depth + 1);
    lo[feat] = keep;
    nodes[me].feature = feat;
    nodes[me].threshold = thr;
    nodes[me].left = l;
    nodes[me].right = r;
    return me;
}

int main(void)
{
    std::vector<node_t> nodes;
    std::vector<int> roots(N_TREES);
    for (int t = 0; t < N_TREES; t++) {
        float lo[N_FEATURES], hi[N_FEATURES];
        for (int k = 0; k < N_FEATURES; k++) { lo[k] = 0.f; hi[k] = 1.f; }
        roots[t] = build_tree(nodes, lo, hi, 0);
    }
    int n_nodes = (int)nodes.size();

    std::vector<sample_t> samples(N_SAMPLES);
    for (int i = 0; i < N_SAMPLES; i++) {
        for (int k = 0; k < N_FEATURES; k++)
            samples[i].f[k] = rnd();
        samples[i].target = truth(samples[i].f) + 0.1f * (rnd() - 0.5f);
        samples[i].id = i;
    }

    node_t *d_nodes; int *d_roots; sample_t *d_samples; float *d_pred;
    unsigned long long *d_usage; leaf_stat_t *d_stats; error_t_ *d_err;
    gpuErrchk(cudaMalloc((void **)&d_nodes, n_nodes * sizeof(node_t)));
    gpuErrchk(cudaMalloc((void **)&d_roots, N_TREES * sizeof(int)));
    gpuErrchk(cudaMalloc((void **)&d_samples, N_SAMPLES * sizeof(sample_t)));
    gpuErrchk(cudaMalloc((void **)&d_pred, N_SAMPLES * sizeof(float)));
    gpuErrchk(cudaMalloc((void **)&d_usage, N_FEATURES * sizeof(unsigned long long)));
    gpuErrchk(cudaMalloc((void **)&d_stats, n_nodes * sizeof(leaf_stat_t)));
    gpuErrchk(cudaMalloc((void **)&d_err, sizeof(error_t_)));
    gpuErrchk(cudaMemcpy(d_nodes, nodes.data(), n_nodes * sizeof(node_t), cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_roots, roots.data(), N_TREES * sizeof(int), cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemcpy(d_samples, samples.data(), N_SAMPLES * sizeof(sample_t), cudaMemcpyHostToDevice));
    gpuErrchk(cudaMemset(d_usage, 0, N_FEATURES * sizeof(unsigned long long)));

    error_t_ err;
    for (int it = 0; it < ITERATIONS; it++) {
        gpuErrchk(cudaMemset(d_err, 0, sizeof(error_t_)));
        gpuErrchk(cudaMemset(d_stats, 0, n_nodes * sizeof(leaf_stat_t)));

        predict_forest<<<(N_SAMPLES + 255) / 256, 256>>>(d_nodes, d_roots, N_TREES, d_samples, N_SAMPLES, d_pred);
        forest_error<<<264, 256>>>(d_samples, d_pred, N_SAMPLES, d_err);
        split_usage<<<dim3(64, 8), 128>>>(d_nodes, d_roots, d_samples, N_SAMPLES, d_usage);

        dim3 grid((N_SAMPLES + 127) / 128, REFIT_TREES);
        accumulate_leaves<<<grid, 128>>>(d_nodes, d_roots, d_samples, N_SAMPLES, d_stats);
        refit_leaves<<<(n_nodes + 255) / 256, 256>>>(d_nodes, d_stats, n_nodes, 0.5f);
        gpuErrchk(cudaGetLastError());
        gpuErrchk(cudaMemcpy(&err, d_err, sizeof(err), cudaMemcpyDeviceToHost));
        printf("iter %d  rmse %.5f  mae %.5f\n", it, sqrt(err.sq / N_SAMPLES), err.abs / N_SAMPLES);
    }

    unsigned long long usage[N_FEATURES], total = 0;
    gpuErrchk(cudaMemcpy(usage, d_usage, sizeof(usage), cudaMemcpyDeviceToHost));
    for (int k = 0; k < N_FEATURES; k++)
        total += usage[k] * (k + 1);
    printf("nodes %d  usage checksum %llu\n", n_nodes, total);

    cudaFree(d_nodes); cudaFree(d_roots); cudaFree(d_samples); cudaFree(d_pred);
    cudaFree(d_usage); cudaFree(d_stats); cudaFree(d_err);
    return 0;
}
