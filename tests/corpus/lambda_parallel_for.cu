// args: 100000
#include <cstdio>
#include <cstdlib>
struct Cell { double density, energy, velocity; };
template <typename F> __global__ void for_each_index(int n, F body)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) body(i);
}
struct Update {
    Cell *cells;
    double dt;
    __device__ void operator()(int i) const
    {
        cells[i].energy += dt * cells[i].density * cells[i].velocity;
        cells[i].density -= dt * cells[i].velocity;
    }
};
struct Reset {
    Cell *cells;
    __device__ void operator()(int i) const { cells[i].velocity = 0; }
};
template <typename F> void parallel_for(int n, F body)
{
    const int block = 256;
    for_each_index<<<(n + block - 1) / block, block>>>(n, body);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    Cell *cells;
    cudaMalloc(&cells, n * sizeof(Cell));
    parallel_for(n, Update{cells, 0.1});
    parallel_for(n, Reset{cells});
    cudaDeviceSynchronize();
}
