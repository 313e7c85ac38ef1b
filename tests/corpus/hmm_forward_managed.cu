// args:
#include <cstdio>

struct Hmm { float match, insert, del; };

__global__ void forward(const Hmm *in, Hmm *out, const float *emit, int states)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < 1 || s >= states) return;
  out[s].match = emit[s] * (0.9f * in[s - 1].match + 0.05f * in[s - 1].insert + 0.05f * in[s - 1].del);
  out[s].insert = 0.1f * in[s].match + 0.4f * in[s].insert;
  out[s].del = 0.1f * out[s - 1].match;
}

int main()
{
  const int n = 1 << 17;
  Hmm *in;
  cudaMallocManaged(&in, (n) * sizeof(*in));
  Hmm *out;
  cudaMallocManaged(&out, (n) * sizeof(*out));
  float *emit;
  cudaMallocManaged(&emit, (n) * sizeof(*emit));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  forward<<<blocks, threads>>>(in, out, emit, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(emit);
  return 0;
}
