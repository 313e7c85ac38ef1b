// args: 1024
#include <cstdio>
#include <cstdlib>
struct Complex { double re, im; };
__device__ Complex operator*(const Complex &a, const Complex &b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ Complex operator+(const Complex &a, const Complex &b) { return {a.re + b.re, a.im + b.im}; }
__global__ void gemv(const Complex *a, const Complex *x, Complex *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    Complex sum{0, 0};
    for (int k = 0; k < n; ++k) sum = sum + a[k * n + row] * x[k];
    y[row] = sum;
}
int main(int argc, char **argv)
{
    const long n = std::strtol(argv[1], NULL, 0);
    Complex *a, *x, *y;
    cudaMalloc(&a, n * n * sizeof(Complex));
    cudaMalloc(&x, n * sizeof(Complex));
    cudaMalloc(&y, n * sizeof(Complex));
    gemv<<<n / 128 + (n % 128 != 0), 128>>>(a, x, y, (int)n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
