// args: --paths 1048576 --steps 252
// Heston stochastic volatility, one path per thread; Philox like counter generator.
#include <getopt.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cmath>

namespace heston {
struct Params { float s0, v0, kappa, theta, xi, rho, r, maturity; };
struct Path { float spot, variance, payoff; };

__constant__ Params params;

__device__ __forceinline__ uint32_t mix(uint32_t x)
{
    x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16;
    return x;
}
__device__ float uniform(uint32_t key, uint32_t counter) { return (mix(key ^ mix(counter)) + 0.5f) * 2.3283064e-10f; }

__global__ void simulate(Path *paths, int count, int steps, uint32_t seed)
{
    const int stride = gridDim.x * blockDim.x;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += stride) {
        float s = params.s0, v = params.v0;
        const float dt = params.maturity / steps, sq = sqrtf(dt);
        for (int k = 0; k < steps; ++k) {
            float u1 = uniform(seed + p, 2 * k), u2 = uniform(seed + p, 2 * k + 1);
            float r = sqrtf(-2.0f * logf(u1));
            float z1 = r * cosf(6.2831853f * u2), z2 = r * sinf(6.2831853f * u2);
            z2 = params.rho * z1 + sqrtf(1 - params.rho * params.rho) * z2;
            float vp = fmaxf(v, 0.0f);
            s *= expf((params.r - 0.5f * vp) * dt + sqrtf(vp) * sq * z1);
            v += params.kappa * (params.theta - vp) * dt + params.xi * sqrtf(vp) * sq * z2;
        }
        paths[p].spot = s;
        paths[p].variance = v;
        paths[p].payoff = fmaxf(s - 100.0f, 0.0f);
    }
}

__global__ void reduce(const Path *paths, int count, double *sum)
{
    __shared__ double partial[256];
    double t = 0;
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += gridDim.x * blockDim.x) t += paths[p].payoff;
    partial[threadIdx.x] = t;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
}

int main(int argc, char **argv)
{
    int paths = 1 << 16, steps = 100;
    static struct option longs[] = {{"paths", required_argument, 0, 'p'}, {"steps", required_argument, 0, 's'}, {0, 0, 0, 0}};
    int c;
    while ((c = getopt_long(argc, argv, "p:s:", longs, NULL)) != -1) {
        switch (c) {
        case 'p': paths = atoi(optarg); break;
        case 's': steps = atoi(optarg); break;
        default: fprintf(stderr, "unknown option\n"); return EXIT_FAILURE;
        }
    }
    heston::Params p = {100.f, 0.04f, 2.f, 0.04f, 0.3f, -0.7f, 0.03f, 1.f};
    cudaMemcpyToSymbol(heston::params, &p, sizeof p);
    heston::Path *d_paths;
    double *d_sum;
    cudaMalloc(&d_paths, paths * sizeof(heston::Path));
    cudaMalloc(&d_sum, sizeof(double));
    cudaMemset(d_sum, 0, sizeof(double));
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    int blocks = prop.multiProcessorCount * 8;
    heston::simulate<<<blocks, 256>>>(d_paths, paths, steps, 1234u);
    heston::reduce<<<blocks, 256>>>(d_paths, paths, d_sum);
    double sum;
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    printf("price %f\n", exp(-p.r * p.maturity) * sum / paths);
}
