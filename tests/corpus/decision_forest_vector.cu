// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Split { int feature; float threshold; int left, right; };

__global__ void predict_tree(const Split *tree, const float *x, float *y, int n, int features)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int node = 0;
  for (int depth = 0; depth < 8; depth++)
    node = x[i * features + tree[node].feature] < tree[node].threshold ? tree[node].left : tree[node].right;
  y[i] = (float)node;
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
  std::vector<Split> h_tree(511);
  Split *d_tree = upload(h_tree);
  std::vector<float> h_x(8 * n);
  float *d_x = upload(h_x);
  std::vector<float> h_y(n);
  float *d_y = upload(h_y);
  for (int it = 0; it < 1; ++it)
    predict_tree<<<(n + 255) / 256, 256>>>(d_tree, d_x, d_y, n, 8);
  cudaDeviceSynchronize();
  cudaFree(d_tree);
  cudaFree(d_x);
  cudaFree(d_y);
  std::cout << "ok" << std::endl;
}
