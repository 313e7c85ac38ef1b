// args: --paths=262144 --steps 252 --strike 100.5
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <getopt.h>
#include <curand_kernel.h>

struct OptionData {
  float spot, strike, rate, sigma, tenor, dt;
  int steps, paths;
};

__global__ void init_rng(curandState *states, unsigned long long seed, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n) curand_init(seed, tid, 0, &states[tid]);
}

__global__ void asian_paths(curandState *states, float *payoff, const OptionData *option) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  curandState local = states[tid];
  const float drift = (option->rate - 0.5f * option->sigma * option->sigma) * option->dt;
  const float diffusion = option->sigma * sqrtf(option->dt);
  float sum = 0;
  for (int p = tid; p < option->paths; p += stride) {
    float s = option->spot, average = 0;
    for (int t = 0; t < option->steps; ++t) {
      s *= __expf(drift + diffusion * curand_normal(&local));
      average += s;
    }
    average /= option->steps;
    sum += fmaxf(average - option->strike, 0.f);
  }
  states[tid] = local;
  payoff[tid] = sum;
}

template <unsigned blockSize>
__global__ void reduce_sum(const float *in, float *out, unsigned n) {
  extern __shared__ float sdata[];
  unsigned tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid, grid = blockSize * 2 * gridDim.x;
  sdata[tid] = 0;
  while (i < n) {
    sdata[tid] += in[i] + (i + blockSize < n ? in[i + blockSize] : 0.f);
    i += grid;
  }
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) sdata[tid] += sdata[tid + 64]; __syncthreads(); }
  if (tid < 32) {
    volatile float *v = sdata;
    v[tid] += v[tid + 32]; v[tid] += v[tid + 16]; v[tid] += v[tid + 8];
    v[tid] += v[tid + 4]; v[tid] += v[tid + 2]; v[tid] += v[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

int main(int argc, char *argv[]) {
  OptionData option = {100.f, 100.f, 0.03f, 0.2f, 1.f, 0.f, 100, 1 << 16};
  static struct option long_options[] = {{"paths", required_argument, 0, 'p'}, {"steps", required_argument, 0, 's'},
                                         {"strike", required_argument, 0, 'k'}, {0, 0, 0, 0}};
  int opt, index = 0;
  while ((opt = getopt_long(argc, argv, "p:s:k:", long_options, &index)) != -1) {
    if (opt == 'p') option.paths = atoi(optarg);
    else if (opt == 's') option.steps = atoi(optarg);
    else if (opt == 'k') option.strike = atof(optarg);
    else return 1;
  }
  option.dt = option.tenor / option.steps;
  int device, sms;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  const int block = 128, grid = sms * 8, threads = grid * block;
  curandState *states;
  float *payoff, *partial, host[64];
  OptionData *d_option;
  cudaMalloc(&states, threads * sizeof(curandState));
  cudaMalloc(&payoff, threads * sizeof(float));
  cudaMalloc(&partial, 64 * sizeof(float));
  cudaMalloc(&d_option, sizeof(OptionData));
  cudaMemcpy(d_option, &option, sizeof(option), cudaMemcpyHostToDevice);
  init_rng<<<grid, block>>>(states, 1234ULL, threads);
  asian_paths<<<grid, block>>>(states, payoff, d_option);
  reduce_sum<256><<<64, 256, 256 * sizeof(float)>>>(payoff, partial, threads);
  cudaMemcpy(host, partial, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < 64; ++i) sum += host[i];
  printf("%f\n", exp(-option.rate * option.tenor) * sum / option.paths);
}
