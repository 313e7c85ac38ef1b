// args: 131072
#include <cstdlib>
#include <stdexcept>

struct Conserved { float rho, mx, my, mz, e; };

__global__ void flux(const Conserved *u, Conserved *f, int n, float gamma)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Conserved c = u[i];
    float v = c.mx / c.rho, p = (gamma - 1) * (c.e - 0.5f * (c.mx * c.mx + c.my * c.my + c.mz * c.mz) / c.rho);
    f[i].rho = c.mx;
    f[i].mx = c.mx * v + p;
    f[i].my = c.my * v;
    f[i].mz = c.mz * v;
    f[i].e = v * (c.e + p);
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
    DeviceBuffer<Conserved> u(n);
    DeviceBuffer<Conserved> f(n);
    flux<<<(n + 255) / 256, 256>>>(u.get(), f.get(), n, 1.4f);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
