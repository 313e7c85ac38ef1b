#ifndef PORTFOLIO_H
#define PORTFOLIO_H
#include <cstddef>
struct Contract { float spot, strike, vol, expiry; };
struct Result { float price, delta, vega, theta; };
class Portfolio {
    size_t count_;
    Contract *contracts_;
    Result *results_;
public:
    explicit Portfolio(size_t count) : count_(count)
    {
        cudaMalloc((void **)&contracts_, bytes<Contract>());
        cudaMalloc((void **)&results_, bytes<Result>());
    }
    Portfolio(const Portfolio &) = delete;
    ~Portfolio() { cudaFree(contracts_); cudaFree(results_); }
    template <typename T> size_t bytes() const { return count_ * sizeof(T); }
    size_t size() const { return count_; }
    const Contract *contracts() const { return contracts_; }
    Result *results() { return results_; }
};
__device__ inline float cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }
__global__ void price_kernel(const Contract *__restrict__ c, Result *__restrict__ r, size_t n, float rate)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sd = c[i].vol * sqrtf(c[i].expiry);
    float d1 = (logf(c[i].spot / c[i].strike) + (rate + 0.5f * c[i].vol * c[i].vol) * c[i].expiry) / sd;
    r[i].price = c[i].spot * cdf(d1) - c[i].strike * expf(-rate * c[i].expiry) * cdf(d1 - sd);
    r[i].delta = cdf(d1);
}
__global__ void greek_kernel(const Contract *__restrict__ c, Result *__restrict__ r, size_t n, float rate)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n) return;
    float root = sqrtf(c[i].expiry), sd = c[i].vol * root;
    float d1 = (logf(c[i].spot / c[i].strike) + (rate + 0.5f * c[i].vol * c[i].vol) * c[i].expiry) / sd;
    float pdf = 0.39894228f * expf(-0.5f * d1 * d1);
    r[i].vega = c[i].spot * pdf * root;
    r[i].theta = -c[i].spot * pdf * c[i].vol / (2 * root);
}
class Pricer {
    float rate_;
    unsigned threads_;
    unsigned blocks(size_t n) const { return static_cast<unsigned>((n + threads_ - 1) / threads_); }
public:
    Pricer(float rate, unsigned threads) : rate_(rate), threads_(threads) {}
    void price(Portfolio &b) const { price_kernel<<<blocks(b.size()), threads_>>>(b.contracts(), b.results(), b.size(), rate_); }
    void greeks(Portfolio &b) const { greek_kernel<<<blocks(b.size()), threads_>>>(b.contracts(), b.results(), b.size(), rate_); }
};
#endif
