// args: 12 64
// Real and imaginary parts, of two buffers that are swapped as wholes: two records, suggested together.
#include <cstdlib>
struct planes { float *re, *im; };
__global__ void pass(const float *xr, const float *xi, float *yr, float *yi, int n, int s)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    yr[t] = xr[t] * s - xi[t];
    yi[t] = xi[t] * s + xr[t];
}
int main(int argc, char **argv)
{
    int n = (1 << atoi(argv[1])) * atoi(argv[2]);
    planes a, b, t;
    cudaMalloc(&a.re, n * 4); cudaMalloc(&a.im, n * 4); cudaMalloc(&b.re, n * 4); cudaMalloc(&b.im, n * 4);
    for (int s = 1; s < n; s *= 2) {
        pass<<<n / 256, 256>>>(a.re, a.im, b.re, b.im, n, s);
        t = a;
        a = b;
        b = t;
    }
}
