// args: 131072
#include <cstdlib>
#include <stdexcept>

struct KeyValue { unsigned key, value; };

__global__ void step(KeyValue *kv, int j, int k)
{
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x, l = i ^ j;
  if (l > i) {
    bool up = (i & k) == 0;
    KeyValue a = kv[i], b = kv[l];
    if ((a.key > b.key) == up) { kv[i] = b; kv[l] = a; }
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
    DeviceBuffer<KeyValue> kv(n);
    step<<<(n + 255) / 256, 256>>>(kv.get(), 16, 64);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
