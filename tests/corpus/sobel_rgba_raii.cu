// args: 1024 768
#include <cstdlib>
#include <stdexcept>

struct RGBA { float r, g, b, a; };

__global__ void sobel(const RGBA *src, RGBA *dst, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1) return;
  const RGBA *p = src + y * w + x;
  float gx = p[1].r - p[-1].r, gy = p[w].r - p[-w].r;
  dst[y * w + x].r = gx * gx + gy * gy;
  dst[y * w + x].a = p[0].a;
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
    DeviceBuffer<RGBA> src(w * h);
    DeviceBuffer<RGBA> dst(w * h);
    sobel<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(src.get(), dst.get(), w, h);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
