// args: 131072
#include <cstdlib>
#include <stdexcept>

struct P3 { float x, y, z; };

__device__ unsigned expand(unsigned v)
{
  v = (v * 0x00010001u) & 0xFF0000FFu;
  v = (v * 0x00000101u) & 0x0F00F00Fu;
  v = (v * 0x00000011u) & 0xC30C30C3u;
  return (v * 0x00000005u) & 0x49249249u;
}
__global__ void morton(const P3 *p, unsigned *code, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) code[i] = expand((unsigned)(p[i].x * 1023.f)) * 4 + expand((unsigned)(p[i].y * 1023.f)) * 2 + expand((unsigned)(p[i].z * 1023.f));
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
    DeviceBuffer<P3> p(n);
    DeviceBuffer<unsigned> code(n);
    morton<<<(n + 255) / 256, 256>>>(p.get(), code.get(), n);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
