// args: 131072
#include <cstdlib>
#include <stdexcept>

struct Tone { float coeff, q1, q2; };

__global__ void goertzel(Tone *bank, const float *x, int tones, int len)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tones) return;
  float q1 = 0, q2 = 0;
  for (int i = 0; i < len; i++) { float q0 = bank[t].coeff * q1 - q2 + x[i]; q2 = q1; q1 = q0; }
  bank[t].q1 = q1;
  bank[t].q2 = q2;
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
    DeviceBuffer<Tone> bank(n);
    DeviceBuffer<float> x(512);
    goertzel<<<(n + 255) / 256, 256>>>(bank.get(), x.get(), n, 512);
    cudaDeviceSynchronize();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}
