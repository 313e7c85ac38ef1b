// args: 8 1000000
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Cell { double rho, e; };
__global__ void relax(Cell *c, int n, double k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        double l = c[i - 1].e, r = c[i + 1].e;
        c[i].e += k * (l - 2 * c[i].e + r) / c[i].rho;
    }
}
int main(int argc, char **argv)
{
    int streams = argc > 1 ? atoi(argv[1]) : 4, n = argc > 2 ? atoi(argv[2]) : 100000;
    std::vector<cudaStream_t> s(streams);
    std::vector<Cell *> parts(streams, nullptr);
    int part = n / streams;
    for (int i = 0; i < streams; ++i) {
        cudaStreamCreate(&s[i]);
        cudaMalloc(&parts[i], part * sizeof(Cell));
    }
    for (int step = 0; step < 50; ++step)
        for (int i = 0; i < streams; ++i)
            relax<<<(part + 255) / 256, 256, 0, s[i]>>>(parts[i], part, 0.1);
    for (auto st : s) { cudaStreamSynchronize(st); cudaStreamDestroy(st); }
    for (auto p : parts) cudaFree(p);
    return 0;
}
