// args: 33554432 8
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <memory>
#include "helper_mini.h"

struct StreamDeleter {
  void operator()(CUstream_st *s) const { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<CUstream_st, StreamDeleter>;

Stream make_stream() {
  cudaStream_t s;
  checkCudaErrors(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return Stream(s);
}

template <typename T>
class PinnedArray {
 public:
  explicit PinnedArray(size_t n) : size_(n) { checkCudaErrors(cudaMallocHost((void **)&data_, n * sizeof(T))); }
  ~PinnedArray() { cudaFreeHost(data_); }
  T *get() { return data_; }
  T &operator[](size_t i) { return data_[i]; }
  size_t size() const { return size_; }

 private:
  T *data_ = nullptr;
  size_t size_;
};

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t n) : size_(n) { checkCudaErrors(cudaMalloc((void **)&data_, bytes())); }
  DeviceArray(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T *get() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }

 private:
  T *data_ = nullptr;
  size_t size_;
};

__global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  const size_t n = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1u << 22;
  const int chunks = argc > 2 ? (int)strtol(argv[2], nullptr, 10) : 4;
  PinnedArray<float> hx(n), hy(n);
  for (size_t i = 0; i < n; ++i) { hx[i] = 1.f; hy[i] = 2.f; }
  DeviceArray<float> x(n), y(n);
  std::vector<Stream> streams;
  for (int i = 0; i < chunks; ++i) streams.push_back(make_stream());
  const size_t chunk = (n + chunks - 1) / chunks;
  for (int c = 0; c < chunks; ++c) {
    size_t off = c * chunk, len = off + chunk <= n ? chunk : n - off;
    cudaStream_t s = streams[c].get();
    checkCudaErrors(cudaMemcpyAsync(x.get() + off, hx.get() + off, len * sizeof(float), cudaMemcpyHostToDevice, s));
    checkCudaErrors(cudaMemcpyAsync(y.get() + off, hy.get() + off, len * sizeof(float), cudaMemcpyHostToDevice, s));
    saxpy<<<(unsigned)((len + 255) / 256), 256, 0, s>>>(3.f, x.get() + off, y.get() + off, len);
    getLastCudaError("saxpy");
    checkCudaErrors(cudaMemcpyAsync(hy.get() + off, y.get() + off, len * sizeof(float), cudaMemcpyDeviceToHost, s));
  }
  checkCudaErrors(cudaDeviceSynchronize());
  printf("%f\n", hy[n - 1]);
  return hy[n - 1] == 5.f ? EXIT_SUCCESS : EXIT_FAILURE;
}
