// args: 131072
#include <cstdlib>
#include <stdexcept>

struct Box { float lo[3], hi[3]; };

__global__ void merge_boxes(const Box *leaf, Box *node, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 3; k++) {
      node[i].lo[k] = fminf(leaf[2 * i].lo[k], leaf[2 * i + 1].lo[k]);
      node[i].hi[k] = fmaxf(leaf[2 * i].hi[k], leaf[2 * i + 1].hi[k]);
    }
}

template <typename T> class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t count) : count_(count)
  {
    if (cudaMalloc(&data_, count * sizeof(T)) != cudaSuccess)
      throw std::runtime_error("out of memory");
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer &) = delete;
  T *get() { return data_; }
  size_t size() const { return count_; }

private:
  T *data_ = nullptr;
  size_t count_;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  try {
    DeviceBuffer<Box> leaf(2 * n);
    DeviceBuffer<Box> node(n);
    merge_boxes<<<(n + 255) / 256, 256>>>(leaf.get(), node.get(), n);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
