#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <cuda_runtime.h>

namespace nn {
class CudaError : public std::runtime_error {
 public:
  explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)) {}
};
inline void check(cudaError_t e) { if (e != cudaSuccess) throw CudaError(e); }

template <typename T>
class Tensor {
 public:
  Tensor() = default;
  Tensor(size_t rows, size_t cols) : rows_(rows), cols_(cols) { check(cudaMalloc(&data_, rows * cols * sizeof(T))); }
  Tensor(Tensor &&o) noexcept : data_(std::exchange(o.data_, nullptr)), rows_(o.rows_), cols_(o.cols_) {}
  Tensor &operator=(Tensor &&o) noexcept {
    std::swap(data_, o.data_);
    rows_ = o.rows_;
    cols_ = o.cols_;
    return *this;
  }
  ~Tensor() { cudaFree(data_); }
  T *data() { return data_; }
  const T *data() const { return data_; }
  size_t rows() const { return rows_; }
  size_t cols() const { return cols_; }
  size_t size() const { return rows_ * cols_; }
  void zero() { check(cudaMemset(data_, 0, size() * sizeof(T))); }

 private:
  T *data_ = nullptr;
  size_t rows_ = 0, cols_ = 0;
};
}  // namespace nn
