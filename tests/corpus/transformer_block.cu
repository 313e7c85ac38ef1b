// args: --tokens 2048 --dim 512
#include "transformer_block_types.h"
#include <iostream>
#include <cstdlib>
#include <cstring>

namespace nn {
constexpr int TILE = 16;

__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; ++t) {
    as[threadIdx.y][threadIdx.x] = row < m && t * TILE + threadIdx.x < k ? a[row * k + t * TILE + threadIdx.x] : 0.f;
    bs[threadIdx.y][threadIdx.x] = col < n && t * TILE + threadIdx.y < k ? b[(t * TILE + threadIdx.y) * n + col] : 0.f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) acc += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}

__global__ void gelu(float *x, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    x[i] = 0.5f * v * (1.f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
  }
}

__global__ void residual_add(float *__restrict__ x, const float *__restrict__ y, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}

class Linear {
 public:
  Linear(int in, int out) : weight_(in, out) { weight_.zero(); }
  Tensor<float> operator()(const Tensor<float> &x) const {
    Tensor<float> y(x.rows(), weight_.cols());
    dim3 block(TILE, TILE), grid((y.cols() + TILE - 1) / TILE, (y.rows() + TILE - 1) / TILE);
    matmul<<<grid, block>>>(x.data(), weight_.data(), y.data(), x.rows(), weight_.cols(), weight_.rows());
    check(cudaGetLastError());
    return y;
  }

 private:
  Tensor<float> weight_;
};

class FeedForward {
 public:
  explicit FeedForward(int dim) : up_(dim, 4 * dim), down_(4 * dim, dim) {}
  void forward(Tensor<float> &x) const {
    Tensor<float> h = up_(x);
    gelu<<<(h.size() + 255) / 256, 256>>>(h.data(), h.size());
    Tensor<float> y = down_(h);
    residual_add<<<(x.size() + 255) / 256, 256>>>(x.data(), y.data(), x.size());
    check(cudaGetLastError());
  }

 private:
  Linear up_, down_;
};
}  // namespace nn

static int option(int argc, char **argv, const char *name, int fallback) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::strcmp(argv[i], name) == 0) return std::atoi(argv[i + 1]);
  return fallback;
}

int main(int argc, char **argv) try {
  int tokens = option(argc, argv, "--tokens", 128), dim = option(argc, argv, "--dim", 256);
  int layers = option(argc, argv, "--layers", 4);
  nn::Tensor<float> x(tokens, dim);
  x.zero();
  nn::FeedForward block(dim);
  for (int l = 0; l < layers; ++l) block.forward(x);
  nn::check(cudaDeviceSynchronize());
  std::cout << "ok\n";
} catch (const std::exception &e) {
  std::cerr << e.what() << std::endl;
  return 1;
}
