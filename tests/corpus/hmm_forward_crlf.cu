// args:
#include <stdio.h>

struct Hmm { float match, insert, del; };

__global__ void forward(const Hmm *in, Hmm *out, const float *emit, int states)
{
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < 1 || s >= states) return;
  out[s].match = emit[s] * (0.9f * in[s - 1].match + 0.05f * in[s - 1].insert + 0.05f * in[s - 1].del);
  out[s].insert = 0.1f * in[s].match + 0.4f * in[s].insert;
  out[s].del = 0.1f * out[s - 1].match;
}

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Hmm *in; cudaMalloc(&in, (size_t)(n)*sizeof(Hmm));
  Hmm *out; cudaMalloc(&out, (size_t)(n)*sizeof(Hmm));
  float *emit; cudaMalloc(&emit, (size_t)(n)*sizeof(float));
  forward<<<(N+THREADS-1)/THREADS, THREADS>>>(in, out, emit, n);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
