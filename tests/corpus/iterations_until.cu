// args: 4096 1e-3
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <array>
struct Unknown { double value, residual, diagonal; };
__global__ void sweep(const Unknown *in, Unknown *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= 0 || i >= n - 1) return;
    double next = (in[i - 1].value + in[i + 1].value) / in[i].diagonal;
    out[i].residual = next - in[i].value;
    out[i].value = next;
}
int main(int argc, char **argv)
{
    if (argc < 2) { printf("n [tolerance]\n"); return 0; }
    int n = atoi(argv[1]);
    double tolerance = argc >= 3 ? atof(argv[2]) : 1e-6, error = 1;
    std::array<Unknown *, 2> u;
    for (auto &p : u) cudaMalloc(&p, n * sizeof(Unknown));
    std::unique_ptr<Unknown[]> host(new Unknown[n]);
    int iteration = 0;
    while (error > tolerance && iteration < 10000) {
        sweep<<<(n + 127) / 128, 128>>>(u[iteration & 1], u[(iteration + 1) & 1], n);
        cudaMemcpy(host.get(), u[(iteration + 1) & 1], n * sizeof(Unknown), cudaMemcpyDeviceToHost);
        error = 0;
        for (int i = 0; i < n; i++) error = std::fmax(error, std::fabs(host[i].residual));
        iteration++;
    }
}
