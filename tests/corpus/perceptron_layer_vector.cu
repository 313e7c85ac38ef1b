// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Neuron { float bias, out; };

template <int TILE> __global__ void layer(const float *w, const Neuron *in, Neuron *out, int n)
{
  int o = blockIdx.x * TILE + threadIdx.x;
  if (o >= n) return;
  float s = out[o].bias;
  for (int k = 0; k < 128; k++) s += w[k * n + o] * in[k].out;
  out[o].out = s > 0 ? s : 0;
}

template <typename T> T *upload(const std::vector<T> &v)
{
  T *d = nullptr;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? std::stoi(argv[1]) : 65536;
  std::vector<float> h_w(128 * n);
  float *d_w = upload(h_w);
  std::vector<Neuron> h_in(128);
  Neuron *d_in = upload(h_in);
  std::vector<Neuron> h_out(n);
  Neuron *d_out = upload(h_out);
  for (int it = 0; it < 1; ++it)
    layer<256><<<(n + 255) / 256, 256>>>(d_w, d_in, d_out, n);
  cudaDeviceSynchronize();
  cudaFree(d_w);
  cudaFree(d_in);
  cudaFree(d_out);
  std::cout << "ok" << std::endl;
}
