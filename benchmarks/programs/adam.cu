// AdamW training loop on a flat parameter store: synthetic gradients, global
// norm clipping, per-layer hyperparameters, EMA shadow weights.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void cuda_check(cudaError_t status, const char *where) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "[%s] %s\n", where, cudaGetErrorString(status));
    std::abort();
  }
}

struct Param {
  float weight;
  float gradient;
  float m;
  float v;
};

struct Shadow {
  float ema;
  float anchor;  // pretrained value, target of the synthetic loss
  int updates;
};

struct Layer {
  int begin;
  int count;
  float lr_scale;
  float weight_decay;
  float noise;
  int frozen;
};

struct LayerStats {
  double weight_norm;
  double update_norm;
  double ema_gap;
  int nonzero;
};

struct ClipState {
  double norm_sq;
  float norm;
  float scale;
  int clipped_steps;
};

struct AdamConfig {
  float lr, beta1, beta2, eps;
  float bias1, bias2;
};

__device__ __forceinline__ float hash_noise(unsigned int a, unsigned int b) {
  unsigned int h = a * 0x9E3779B1u ^ (b * 0x85EBCA77u + 0xC2B2AE3Du);
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return (h >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

template <typename T, int BLOCK>
__device__ T block_sum(T x) {
  __shared__ T warp_part[BLOCK / 32];
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) x += __shfl_xor_sync(0xffffffffu, x, offset);
  __syncthreads();  // warp_part may still be in use by an earlier call
  if ((threadIdx.x & 31) == 0) warp_part[threadIdx.x >> 5] = x;
  __syncthreads();
  T total = T(0);
  for (int w = 0; w < BLOCK / 32; ++w) total += warp_part[w];
  return total;
}

// d/dw of 0.5*(w - anchor)^2 plus noise; blockIdx.y = layer
__global__ void compute_gradients(Param *params, const Shadow *shadow, const Layer *layers, int step) {
  const Layer L = layers[blockIdx.y];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < L.count; i += gridDim.x * blockDim.x) {
    const int p = L.begin + i;
    params[p].gradient = (params[p].weight - shadow[p].anchor) + L.noise * hash_noise(p, step);
  }
}

template <int BLOCK>
__global__ void grad_norm_sq(const Param *__restrict__ params, int n, ClipState *clip) {
  float acc = 0.0f;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    float g = params[i].gradient;
    acc += g * g;
  }
  double total = block_sum<double, BLOCK>((double)acc);
  if (threadIdx.x == 0) atomicAdd(&clip->norm_sq, total);
}

__global__ void finish_clip(ClipState *clip, float max_norm) {
  clip->norm = (float)sqrt(clip->norm_sq);
  clip->scale = 1.0f;
  if (clip->norm > max_norm) {
    clip->scale = max_norm / (clip->norm + 1e-6f);
    clip->clipped_steps += 1;
  }
  clip->norm_sq = 0.0;
}

__global__ void clip_gradients(Param *params, int n, const ClipState *clip) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) params[i].gradient *= clip->scale;
}

template <bool kDecoupled>
__global__ void adam_step(Param *__restrict__ params, const Layer *__restrict__ layers, AdamConfig cfg) {
  const Layer L = layers[blockIdx.y];
  if (L.frozen) return;
  const float lr = cfg.lr * L.lr_scale;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < L.count; i += gridDim.x * blockDim.x) {
    Param p = params[L.begin + i];
    float g = p.gradient;
    if (!kDecoupled) g += L.weight_decay * p.weight;
    p.m = cfg.beta1 * p.m + (1.0f - cfg.beta1) * g;
    p.v = cfg.beta2 * p.v + (1.0f - cfg.beta2) * g * g;
    float mhat = p.m / cfg.bias1;
    float vhat = p.v / cfg.bias2;
    if (kDecoupled) p.weight -= lr * L.weight_decay * p.weight;
    p.weight -= lr * mhat / (sqrtf(vhat) + cfg.eps);
    params[L.begin + i] = p;
  }
}

__global__ void ema_update(const Param *params, Shadow *shadow, int n, float decay) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // warm-up: smaller decay in the first steps
  int u = shadow[i].updates;
  float d = fminf(decay, (1.0f + u) / (10.0f + u));
  shadow[i].ema = d * shadow[i].ema + (1.0f - d) * params[i].weight;
  shadow[i].updates = u + 1;
}

// one row of blocks per layer
template <int BLOCK>
__global__ void layer_stats(const Param *params, const Shadow *shadow, const Layer *layers, LayerStats *stats) {
  const Layer L = layers[blockIdx.y];
  float w2 = 0.f, u2 = 0.f, gap = 0.f;
  int nz = 0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < L.count; i += gridDim.x * BLOCK) {
    const Param &p = params[L.begin + i];
    const Shadow &s = shadow[L.begin + i];
    w2 += p.weight * p.weight;
    u2 += p.m * p.m;
    gap += fabsf(p.weight - s.ema);
    nz += p.gradient != 0.0f;
  }
  double a = block_sum<double, BLOCK>(w2);
  double b = block_sum<double, BLOCK>(u2);
  double c = block_sum<double, BLOCK>(gap);
  int d = block_sum<int, BLOCK>(nz);
  if (threadIdx.x == 0) {
    LayerStats *out = stats + blockIdx.y;
    atomicAdd(&out->weight_norm, a);
    atomicAdd(&out->update_norm, b);
    atomicAdd(&out->ema_gap, c);
    atomicAdd(&out->nonzero, d);
  }
}

#define CU(call) cuda_check((call), #call)

int main() {
  const int num_layers = 12;
  const int steps = 8;
  std::vector<Layer> layers(num_layers);
  int n = 0;
  for (int l = 0; l < num_layers; ++l) {
    layers[l].begin = n;
    layers[l].count = (l == 0 || l == num_layers - 1) ? 1500000 : 700000 + 1037 * l;
    layers[l].lr_scale = 1.0f - 0.03f * l;
    layers[l].weight_decay = (l % 3 == 0) ? 0.0f : 0.01f;
    layers[l].noise = 0.05f + 0.01f * l;
    layers[l].frozen = (l == 1);
    n += layers[l].count;
  }
  std::vector<Param> params(n);
  std::vector<Shadow> shadow(n);
  unsigned int seed = 42;
  auto uniform = [&seed]() {
    seed = seed * 1103515245u + 12345u;
    return ((seed >> 9) & 0x3FFFFF) / 4194304.0f - 0.5f;
  };
  for (int i = 0; i < n; ++i) {
    params[i] = Param{0.2f * uniform(), 0.0f, 0.0f, 0.0f};
    shadow[i] = Shadow{params[i].weight, params[i].weight + 0.5f * uniform(), 0};
  }
  Param *d_params;
  Shadow *d_shadow;
  Layer *d_layers;
  LayerStats *d_stats;
  ClipState *d_clip;
  CU(cudaMalloc(&d_params, n * sizeof(Param)));
  CU(cudaMalloc(&d_shadow, n * sizeof(Shadow)));
  CU(cudaMalloc(&d_layers, num_layers * sizeof(Layer)));
  CU(cudaMalloc(&d_stats, num_layers * sizeof(LayerStats)));
  CU(cudaMalloc(&d_clip, sizeof(ClipState)));
  CU(cudaMemcpy(d_params, params.data(), n * sizeof(Param), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_shadow, shadow.data(), n * sizeof(Shadow), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_layers, layers.data(), num_layers * sizeof(Layer), cudaMemcpyHostToDevice));
  CU(cudaMemset(d_clip, 0, sizeof(ClipState)));
  const int block = 256;
  const int flat_grid = (n + block - 1) / block;
  const dim3 layer_grid(128, num_layers);
  for (int step = 1; step <= steps; ++step) {
    AdamConfig cfg = {3e-3f, 0.9f, 0.999f, 1e-8f, 0.f, 0.f};
    cfg.bias1 = 1.0f - powf(cfg.beta1, (float)step);
    cfg.bias2 = 1.0f - powf(cfg.beta2, (float)step);
    CU(cudaMemset(d_stats, 0, num_layers * sizeof(LayerStats)));
    compute_gradients<<<layer_grid, block>>>(d_params, d_shadow, d_layers, step);
    grad_norm_sq<512><<<528, 512>>>(d_params, n, d_clip);
    finish_clip<<<1, 1>>>(d_clip, 100.0f);
    clip_gradients<<<flat_grid, block>>>(d_params, n, d_clip);
    adam_step<true><<<layer_grid, block>>>(d_params, d_layers, cfg);
    ema_update<<<flat_grid, block>>>(d_params, d_shadow, n, 0.999f);
    layer_stats<256><<<dim3(64, num_layers), 256>>>(d_params, d_shadow, d_layers, d_stats);
    CU(cudaGetLastError());
  }
  CU(cudaDeviceSynchronize());
  std::vector<LayerStats> stats(num_layers);
  ClipState clip;
  CU(cudaMemcpy(stats.data(), d_stats, num_layers * sizeof(LayerStats), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(&clip, d_clip, sizeof(clip), cudaMemcpyDeviceToHost));
  double wn = 0, un = 0, gap = 0;
  for (const LayerStats &s : stats) {
    wn += s.weight_norm;
    un += s.update_norm;
    gap += s.ema_gap;
  }
  std::printf("params %d  |w| %.5f  |m| %.6f  ema gap %.6e  grad norm %.4f (clipped %d of %d)\n", n, std::sqrt(wn),
              std::sqrt(un), gap / n, clip.norm, clip.clipped_steps, steps);
  CU(cudaFree(d_params));
  CU(cudaFree(d_shadow));
  CU(cudaFree(d_layers));
  CU(cudaFree(d_stats));
  CU(cudaFree(d_clip));
  return 0;
}
