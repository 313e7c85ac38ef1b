// args: 131072
#include <cstdlib>
#include <stdexcept>

struct Bin { float power, noise; unsigned char hit; };

__global__ void cfar(Bin *b, int n, int guard, float factor)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 16 || i >= n - 16) return;
  float s = 0;
  for (int k = guard; k < 16; k++) s += b[i - k].power + b[i + k].power;
  b[i].noise = s;
  b[i].hit = b[i].power > factor * s;
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
    DeviceBuffer<Bin> b(n);
    cfar<<<(n + 255) / 256, 256>>>(b.get(), n, 2, 3.0f);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
