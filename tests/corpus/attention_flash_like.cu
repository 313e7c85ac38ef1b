// args: 4 8 1024
// Attention forward in the shape of FlashAttention: tiles of K and V in shared memory, running maximum and sum.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

template <int Br, int Bc, int D>
__global__ void flash_forward(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V,
                              float *__restrict__ O, float *__restrict__ L, int N, float scale) {
  extern __shared__ float smem[];
  float *Ks = smem;
  float *Vs = smem + Bc * D;
  const int tx = threadIdx.x;
  const int bh = blockIdx.y * gridDim.z + blockIdx.z;
  const size_t base = (size_t)bh * N * D;
  const int row = blockIdx.x * Br + tx;
  float q[D], acc[D];
#pragma unroll
  for (int d = 0; d < D; ++d) {
    q[d] = row < N ? Q[base + (size_t)row * D + d] * scale : 0.f;
    acc[d] = 0.f;
  }
  float m = -INFINITY, l = 0.f;
  const int tiles = (N + Bc - 1) / Bc;
  for (int t = 0; t < tiles; ++t) {
    for (int i = tx; i < Bc * D; i += Br) {
      int r = t * Bc + i / D;
      Ks[i] = r < N ? K[base + (size_t)r * D + i % D] : 0.f;
      Vs[i] = r < N ? V[base + (size_t)r * D + i % D] : 0.f;
    }
    __syncthreads();
    for (int c = 0; c < Bc && t * Bc + c < N; ++c) {
      float s = 0.f;
#pragma unroll
      for (int d = 0; d < D; ++d) s += q[d] * Ks[c * D + d];
      float mn = fmaxf(m, s);
      float a = __expf(m - mn), b = __expf(s - mn);
      l = l * a + b;
#pragma unroll
      for (int d = 0; d < D; ++d) acc[d] = acc[d] * a + b * Vs[c * D + d];
      m = mn;
    }
    __syncthreads();
  }
  if (row < N) {
#pragma unroll
    for (int d = 0; d < D; ++d) O[base + (size_t)row * D + d] = acc[d] / l;
    L[(size_t)bh * N + row] = m + logf(l);
  }
}

int main(int argc, char **argv) {
  int batch = argc > 1 ? atoi(argv[1]) : 2, heads = argc > 2 ? atoi(argv[2]) : 4, n = argc > 3 ? atoi(argv[3]) : 512;
  constexpr int D = 64, Br = 64, Bc = 32;
  size_t count = (size_t)batch * heads * n * D;
  std::vector<float> h(count);
  for (size_t i = 0; i < count; ++i) h[i] = (float)(rand() % 1000) / 1000.f - 0.5f;
  float *q, *k, *v, *o, *l;
  cudaMalloc(&q, count * sizeof(float));
  cudaMalloc(&k, count * sizeof(float));
  cudaMalloc(&v, count * sizeof(float));
  cudaMalloc(&o, count * sizeof(float));
  cudaMalloc(&l, (size_t)batch * heads * n * sizeof(float));
  cudaMemcpy(q, h.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(k, h.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(v, h.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  dim3 grid((n + Br - 1) / Br, batch, heads);
  size_t smem = 2 * Bc * D * sizeof(float);
  cudaFuncSetAttribute(flash_forward<Br, Bc, D>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)smem);
  flash_forward<Br, Bc, D><<<grid, Br, smem>>>(q, k, v, o, l, n, 1.f / sqrtf((float)D));
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) { printf("error: %s\n", cudaGetErrorString(err)); return 1; }
  cudaMemcpy(h.data(), o, count * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", h[0]);
  return 0;
}
