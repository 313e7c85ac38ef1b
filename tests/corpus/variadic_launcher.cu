// args: 1000000
#include <cstdio>
#include <cstdlib>
#include <utility>
struct Rgb { float r, g, b; };
struct Hsv { float h, s, v; };
__global__ void to_hsv(const Rgb *in, Hsv *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float r = in[i].r, g = in[i].g, b = in[i].b;
    float hi = fmaxf(r, fmaxf(g, b)), lo = fminf(r, fminf(g, b)), d = hi - lo;
    out[i].v = hi;
    out[i].s = hi > 0 ? d / hi : 0;
    out[i].h = d == 0 ? 0 : hi == r ? (g - b) / d : hi == g ? 2 + (b - r) / d : 4 + (r - g) / d;
}
__global__ void scale_value(Hsv *x, float f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i].v *= f;
}
template <typename... P, typename... A>
void launch_1d(void (*kernel)(P...), int n, A &&...args)
{
    int grid = 0, block = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0);
    grid = (n + block - 1) / block;
    kernel<<<grid, block>>>(std::forward<A>(args)...);
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
    Rgb *rgb; Hsv *hsv;
    cudaMalloc(&rgb, sizeof(Rgb) * n);
    cudaMalloc(&hsv, sizeof(Hsv) * n);
    launch_1d(to_hsv, n, rgb, hsv, n);
    launch_1d(scale_value, n, hsv, 1.1f, n);
    cudaDeviceSynchronize();
}
