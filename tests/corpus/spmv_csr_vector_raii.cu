// args: 131072
#include <cstdlib>
#include <stdexcept>

struct Nz { int c; double v; };

__global__ void spmv_warp(const int *ptr, const Nz *nz, const double *x, double *y, int n)
{
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= n) return;
  double s = 0;
  int end = ptr[row + 1];
  for (int k = ptr[row] + lane; k < end; k += 32) s += nz[k].v * x[nz[k].c];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
  if (lane == 0) y[row] = s;
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
    DeviceBuffer<int> ptr(n + 1);
    DeviceBuffer<Nz> nz(32 * n);
    DeviceBuffer<double> x(n);
    DeviceBuffer<double> y(n);
    spmv_warp<<<(n + 255) / 256, 256>>>(ptr.get(), nz.get(), x.get(), y.get(), n / 32);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
