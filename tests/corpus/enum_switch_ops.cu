// args: -n 1000000 -m 2
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
enum class Mode { Scale, Shift, Clamp };
struct Value { float re, im; };
template <Mode M> __global__ void apply(Value *v, int n, float a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if constexpr (M == Mode::Scale) { v[i].re *= a; v[i].im *= a; }
    else if constexpr (M == Mode::Shift) { v[i].re += a; }
    else { v[i].re = fminf(v[i].re, a); v[i].im = fminf(v[i].im, a); }
}
int main(int argc, char **argv)
{
    int n = 1024, option;
    Mode mode = Mode::Scale;
    while ((option = getopt(argc, argv, "n:m:h")) != -1) {
        switch (option) {
        case 'n': n = atoi(optarg); break;
        case 'm': mode = static_cast<Mode>(atoi(optarg)); break;
        default: return 1;
        }
    }
    Value *v;
    cudaMalloc(&v, n * sizeof *v);
    int grid = (n + 511) / 512;
    switch (mode) {
    case Mode::Scale: apply<Mode::Scale><<<grid, 512>>>(v, n, 2.0f); break;
    case Mode::Shift: apply<Mode::Shift><<<grid, 512>>>(v, n, 2.0f); break;
    case Mode::Clamp: apply<Mode::Clamp><<<grid, 512>>>(v, n, 2.0f); break;
    }
    cudaDeviceSynchronize();
}
