// args: 131072
#include <cstdlib>
#include <stdexcept>

struct Row { int key; float price; int qty; };

__global__ void revenue(const Row *rows, float *bucket, int n)
{
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&bucket[rows[i].key & 1023], rows[i].price * rows[i].qty);
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
    DeviceBuffer<Row> rows(n);
    DeviceBuffer<float> bucket(1024);
    revenue<<<(n + 255) / 256, 256>>>(rows.get(), bucket.get(), n);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
