// args: 1024 768
#include <cstdlib>
#include <stdexcept>

struct Node { float phi, rhs; };

__global__ void jacobi(const Node *a, Node *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int i = y * w + x;
    b[i].phi = 0.25f * (a[i - 1].phi + a[i + 1].phi + a[i - w].phi + a[i + w].phi - a[i].rhs);
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
  int w = argc > 1 ? atoi(argv[1]) : 512;
  int h = argc > 2 ? atoi(argv[2]) : 384;
  try {
    DeviceBuffer<Node> a(w * h);
    DeviceBuffer<Node> b(w * h);
    jacobi<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a.get(), b.get(), w, h);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
