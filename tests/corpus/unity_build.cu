// args: 131072 40
// A program whose kernels stand in another .cu file that is included, as unity builds do.
#include <cstdlib>
#include "unity_build_kernels.cuh"
static int divide_up(int a, int b) { return (a + b - 1) / b; }
int main(int argc, char **argv)
{
    Fluid fluid;
    fluid.count = argc > 1 ? atoi(argv[1]) : 4096;
    int steps = argc > 2 ? atoi(argv[2]) : 1;
    cudaMalloc(&fluid.cells, fluid.count * sizeof(FluidCell));
    for (int s = 0; s < steps; ++s) {
        pressure<<<divide_up(fluid.count, 192), 192>>>(fluid, 1.4f);
        momentum<<<divide_up(fluid.count, 192), 192>>>(fluid, 1e-3f);
    }
    cudaDeviceSynchronize();
    cudaFree(fluid.cells);
}
