// args: 1024 768
#include <cstdlib>
#include <stdexcept>

struct Color { float r, g, b; };

#define RADIUS 4
__constant__ float gauss[2 * RADIUS + 1];
__global__ void blur_rows(const Color *in, Color *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float r = 0, g = 0, b = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) {
    int xx = min(max(x + k, 0), w - 1);
    r += gauss[k + RADIUS] * in[y * w + xx].r;
    g += gauss[k + RADIUS] * in[y * w + xx].g;
    b += gauss[k + RADIUS] * in[y * w + xx].b;
  }
  out[y * w + x].r = r;
  out[y * w + x].g = g;
  out[y * w + x].b = b;
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
    DeviceBuffer<Color> in(w * h);
    DeviceBuffer<Color> out(w * h);
    blur_rows<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in.get(), out.get(), w, h);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
