// Objects that hold device memory, filled from vectors and read back into them.
#include <cstdio>
#include <vector>
#include <stdexcept>
#include <cuda_runtime.h>

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t n) : n_(n)
    {
        if (cudaMalloc(&ptr_, n * sizeof(T)) != cudaSuccess)
            throw std::runtime_error("cudaMalloc");
    }
    ~DeviceBuffer() { cudaFree(ptr_); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    DeviceBuffer &operator=(const DeviceBuffer &) = delete;
    void upload(const std::vector<T> &v) { cudaMemcpy(ptr_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice); }
    void download(std::vector<T> &v) const { cudaMemcpy(v.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost); }
    T *data() { return ptr_; }
    const T *data() const { return ptr_; }
    size_t size() const { return n_; }
private:
    T *ptr_ = nullptr;
    size_t n_;
};

struct Option { float spot, strike, rate, vol, years; };
struct Price { float call, put; };

__device__ float cnd(float d) { return 0.5f * erfcf(-d * 0.70710678f); }

__global__ void black_scholes(const Option *options, Price *prices, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i >= n)
        return;
    const Option &o = options[i];
    float sq = o.vol * sqrtf(o.years);
    float d1 = (logf(o.spot / o.strike) + (o.rate + 0.5f * o.vol * o.vol) * o.years) / sq;
    float d2 = d1 - sq;
    float disc = o.strike * expf(-o.rate * o.years);
    prices[i].call = o.spot * cnd(d1) - disc * cnd(d2);
    prices[i].put = disc * cnd(-d2) - o.spot * cnd(-d1);
}

int main()
{
    const size_t n = 50;
    std::vector<Option> options(n);
    for (size_t i = 0; i < n; i++)
        options[i] = {100.0f + i % 10, 95.0f + i % 13, 0.02f, 0.2f + 0.001f * (i % 100), 1.0f};
    std::vector<Price> prices(n);
    DeviceBuffer<Option> d_options(n);
    DeviceBuffer<Price> d_prices(n);
    d_options.upload(options);
    black_scholes<<<(n + 255) / 256, 256>>>(d_options.data(), d_prices.data(), n);
    d_prices.download(prices);
    double s = 0;
    for (auto &p : prices)
        s += p.call - p.put;
    printf("%.3f\n", s);
    return 0;
}
