// args: 250000
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>
namespace physics {
namespace detail {
template <typename Real> struct Body { Real position[3]; Real charge; std::uint32_t id; };
}
using Body = detail::Body<float>;
using BodyD = detail::Body<double>;
template <typename B> __global__ void potential(const B *__restrict__ bodies, float *__restrict__ out, std::size_t n)
{
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < 3; ++k) sum += static_cast<float>(bodies[i].position[k]) * static_cast<float>(bodies[i].charge);
    out[i] = sum;
}
template <typename B> class Engine {
    std::size_t n_;
    B *bodies_{};
    float *out_{};

public:
    Engine(std::size_t n) : n_{n}
    {
        cudaMalloc(&bodies_, n_ * sizeof(B));
        cudaMalloc(&out_, n_ * sizeof(float));
    }
    ~Engine()
    {
        cudaFree(bodies_);
        cudaFree(out_);
    }
    void operator()()
    {
        const unsigned threads = std::min<std::size_t>(256, n_);
        potential<B><<<static_cast<unsigned>((n_ + threads - 1) / threads), threads>>>(bodies_, out_, n_);
    }
};
}
int main(int argc, const char *argv[])
{
    std::vector<const char *> words(argv + 1, argv + argc);
    const std::size_t n = std::strtoull(argv[1], nullptr, 10);
    physics::Engine<physics::Body> single(n);
    physics::Engine<physics::BodyD> twice(n);
    single();
    twice();
    std::cout << cudaDeviceSynchronize() << "\n";
}
