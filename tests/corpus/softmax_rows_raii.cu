// args: 1024
#include <cstdlib>
#include <stdexcept>

struct Logit { float value, mask; };

__global__ void softmax(const Logit *in, float *out, int cols)
{
  __shared__ float part[256];
  const Logit *row = in + (size_t)blockIdx.x * cols;
  float s = 0;
  for (int j = threadIdx.x; j < cols; j += blockDim.x) s += expf(row[j].value) * row[j].mask;
  part[threadIdx.x] = s;
  __syncthreads();
  for (int o = blockDim.x / 2; o > 0; o >>= 1) {
    if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o];
    __syncthreads();
  }
  for (int j = threadIdx.x; j < cols; j += blockDim.x) out[(size_t)blockIdx.x * cols + j] = expf(row[j].value) / part[0];
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
  int n = argc > 1 ? atoi(argv[1]) : 512;
  try {
    DeviceBuffer<Logit> in(1024 * n);
    DeviceBuffer<float> out(1024 * n);
    softmax<<<n, 256>>>(in.get(), out.get(), 1024);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
