// args: 262144
// Four pairs in one kernel, each gathered in its own way: the three that gain most, the best first.
#include <cstdlib>
__global__ void mix(const float *a, const float *b, const float *c, const float *d, const float *e, const float *f,
                    const float *g, const float *h, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int j = (i * 97) & (n - 1), k = (i * 8) & (n - 1), l = (i * 2) & (n - 1);
    out[n - 1 - i] = a[i] + b[i] + c[l] + d[l] + e[k] + f[k] + g[j] + h[j];
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    float *a, *b, *c, *d, *e, *f, *g, *h, *out;
    cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); cudaMalloc(&c, n * 4); cudaMalloc(&d, n * 4); cudaMalloc(&e, n * 4);
    cudaMalloc(&f, n * 4); cudaMalloc(&g, n * 4); cudaMalloc(&h, n * 4); cudaMalloc(&out, n * 4);
    mix<<<n / 256, 256>>>(a, b, c, d, e, f, g, h, out, n);
}
