#pragma once
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
template <typename T> class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t count) : count_(count)
    {
        if (cudaMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)) != cudaSuccess) throw std::runtime_error("cudaMalloc");
    }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer(DeviceBuffer &&other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
    ~DeviceBuffer() { cudaFree(data_); }
    T *get() { return data_; }
    const T *get() const { return data_; }
    std::size_t size() const { return count_; }
    void upload(const std::vector<T> &host) { cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice); }
    friend void swap(DeviceBuffer &a, DeviceBuffer &b) noexcept
    {
        std::swap(a.data_, b.data_);
        std::swap(a.count_, b.count_);
    }

private:
    T *data_ = nullptr;
    std::size_t count_;
};
inline dim3 blocks_for(std::size_t n, unsigned threads) { return dim3(static_cast<unsigned>((n + threads - 1) / threads)); }
