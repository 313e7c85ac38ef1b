// args: 8192 1024
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define cudaCheck(err) (cuda_check(err, __FILE__, __LINE__))
static void cuda_check(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}

__global__ void layernorm_forward_kernel3(float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd,
                                          const float *__restrict__ inp, const float *__restrict__ weight,
                                          const float *__restrict__ bias, int N, int C) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (idx >= N) return;
  const float *x = inp + idx * C;
  float sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) sum += x[i];
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float m = sum / C;
  if (warp.thread_rank() == 0 && mean != nullptr) __stcs(mean + idx, m);
  sum = 0.0f;
  for (int i = warp.thread_rank(); i < C; i += warp.size()) {
    float diff = x[i] - m;
    sum += diff * diff;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  float s = rsqrtf(sum / C + 1e-5f);
  if (warp.thread_rank() == 0 && rstd != nullptr) __stcs(rstd + idx, s);
  float *o = out + idx * C;
  for (int c = warp.thread_rank(); c < C; c += warp.size()) {
    float n = s * (__ldcs(x + c) - m);
    __stcs(o + c, n * weight[c] + bias[c]);
  }
}

__global__ void softmax_forward_kernel(float *out, const float *inp, int N, int C) {
  extern __shared__ float shared[];
  int idx = blockIdx.x, tid = threadIdx.x, warpId = threadIdx.x / 32, laneId = threadIdx.x % 32;
  int warpsPerBlock = blockDim.x / 32;
  float *maxvals = shared, *sumvals = &shared[warpsPerBlock];
  const float *x = inp + idx * C;
  float maxval = -INFINITY;
  for (int i = tid; i < C; i += blockDim.x) maxval = fmaxf(maxval, x[i]);
  for (int offset = 16; offset > 0; offset /= 2) maxval = fmaxf(maxval, __shfl_down_sync(0xFFFFFFFF, maxval, offset));
  if (laneId == 0) maxvals[warpId] = maxval;
  __syncthreads();
  if (tid == 0) {
    float val = maxvals[tid];
    for (int i = 1; i < warpsPerBlock; i++) val = fmaxf(val, maxvals[i]);
    maxvals[0] = val;
  }
  __syncthreads();
  float offset = maxvals[0], sumval = 0.0f;
  for (int i = tid; i < C; i += blockDim.x) {
    float e = expf(x[i] - offset);
    out[idx * C + i] = e;
    sumval += e;
  }
  for (int o = 16; o > 0; o /= 2) sumval += __shfl_down_sync(0xFFFFFFFF, sumval, o);
  if (laneId == 0) sumvals[warpId] = sumval;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < warpsPerBlock; i++) sum += sumvals[i];
  for (int i = tid; i < C; i += blockDim.x) out[idx * C + i] /= sum;
}

float *make_random_float(size_t N) {
  float *arr = (float *)malloc(N * sizeof(float));
  for (size_t i = 0; i < N; i++) arr[i] = ((float)rand() / RAND_MAX) * 2.0 - 1.0;
  return arr;
}

void layernorm_forward(float *out, float *mean, float *rstd, float *inp, float *weight, float *bias, int B, int C,
                       const int block_size) {
  const int grid_size = CEIL_DIV(B * 32, block_size);
  layernorm_forward_kernel3<<<grid_size, block_size>>>(out, mean, rstd, inp, weight, bias, B, C);
  cudaCheck(cudaGetLastError());
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), C = atoi(argv[2]);
  float *inp = make_random_float((size_t)rows * C), *weight = make_random_float(C), *bias = make_random_float(C);
  float *d_inp, *d_out, *d_mean, *d_rstd, *d_weight, *d_bias, *d_prob;
  cudaCheck(cudaMalloc(&d_inp, (size_t)rows * C * sizeof(float)));
  cudaCheck(cudaMalloc(&d_out, (size_t)rows * C * sizeof(float)));
  cudaCheck(cudaMalloc(&d_prob, (size_t)rows * C * sizeof(float)));
  cudaCheck(cudaMalloc(&d_mean, rows * sizeof(float)));
  cudaCheck(cudaMalloc(&d_rstd, rows * sizeof(float)));
  cudaCheck(cudaMalloc(&d_weight, C * sizeof(float)));
  cudaCheck(cudaMalloc(&d_bias, C * sizeof(float)));
  cudaCheck(cudaMemcpy(d_inp, inp, (size_t)rows * C * sizeof(float), cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_weight, weight, C * sizeof(float), cudaMemcpyHostToDevice));
  cudaCheck(cudaMemcpy(d_bias, bias, C * sizeof(float), cudaMemcpyHostToDevice));
  int block_sizes[] = {128, 256, 512};
  for (int j = 0; j < sizeof(block_sizes) / sizeof(int); j++)
    layernorm_forward(d_out, d_mean, d_rstd, d_inp, d_weight, d_bias, rows, C, block_sizes[j]);
  softmax_forward_kernel<<<rows, 256, 2 * 256 / 32 * sizeof(float)>>>(d_prob, d_out, rows, C);
  cudaCheck(cudaDeviceSynchronize());
  return 0;
}
