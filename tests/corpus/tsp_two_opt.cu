// args: 2000
#include <cstdio>
#include <cstdlib>
#include <climits>
#include <vector>
struct City { float x, y; };
struct Best { int gain, i, j; };
__device__ float dist(const City *c, int a, int b) { float dx = c[a].x - c[b].x, dy = c[a].y - c[b].y; return sqrtf(dx * dx + dy * dy); }
__global__ void two_opt(const City *c, int n, Best *best)
{
    int pairs = n * (n - 1) / 2; Best mine = {0, -1, -1};
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < pairs; k += gridDim.x * blockDim.x) {
        int i = int((1 + sqrtf(1.f + 8.f * k)) * 0.5f), j = k - i * (i - 1) / 2;
        int g = int(dist(c, i, (i + 1) % n) + dist(c, j, (j + 1) % n) - dist(c, i, j) - dist(c, (i + 1) % n, (j + 1) % n));
        if (g > mine.gain) mine = {g, i, j};
    }
    best[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 100, threads = 256; int sm; cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, 0);
    City *c; Best *b; cudaMalloc(&c, n * sizeof(City)); cudaMalloc(&b, sm * 4 * threads * sizeof(Best));
    std::vector<Best> host(sm * 4 * threads);
    bool improved = true; int rounds = 0;
    while (improved && rounds++ < 500) {
        two_opt<<<sm * 4, threads>>>(c, n, b);
        cudaMemcpy(host.data(), b, host.size() * sizeof(Best), cudaMemcpyDeviceToHost);
        improved = false;
        for (auto &h : host) if (h.gain > 0) improved = true;
    }
}
