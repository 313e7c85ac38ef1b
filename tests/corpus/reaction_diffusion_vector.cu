// args: 1024 768
#include <iostream>
#include <string>
#include <vector>

struct UV { float u, v; };

__global__ void gray_scott(const UV *in, UV *out, int w, int h, float feed, float kill)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  float u = in[i].u, v = in[i].v, r = u * v * v;
  out[i].u = u + 0.16f * (in[i - 1].u + in[i + 1].u + in[i - w].u + in[i + w].u - 4 * u) - r + feed * (1 - u);
  out[i].v = v + 0.08f * (in[i - 1].v + in[i + 1].v + in[i - w].v + in[i + w].v - 4 * v) + r - (feed + kill) * v;
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
  int w = argc > 1 ? std::stoi(argv[1]) : 512;
  int h = argc > 2 ? std::stoi(argv[2]) : 384;
  std::vector<UV> h_in(w * h);
  UV *d_in = upload(h_in);
  std::vector<UV> h_out(w * h);
  UV *d_out = upload(h_out);
  for (int it = 0; it < 200; ++it)
    gray_scott<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d_in, d_out, w, h, 0.035f, 0.065f);
  cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  std::cout << "ok" << std::endl;
}
