// args: 20
#include <cstdio>
#include <cstdlib>
#include <cmath>
struct Complex {
    float re, im;
    __host__ __device__ Complex(float r = 0, float i = 0) : re(r), im(i) {}
    __host__ __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
    __host__ __device__ Complex operator-(const Complex &o) const { return Complex(re - o.re, im - o.im); }
    __host__ __device__ Complex operator*(const Complex &o) const { return Complex(re * o.re - im * o.im, re * o.im + im * o.re); }
};
__global__ void bit_reverse(const Complex *in, Complex *out, int n, int bits)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[__brev(i) >> (32 - bits)] = in[i];
}
__global__ void stage(Complex *x, int n, int half)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n / 2) return;
    int k = t % half, base = (t / half) * half * 2;
    float s, c;
    sincosf(-3.14159265f * k / half, &s, &c);
    Complex a = x[base + k], b = x[base + k + half] * Complex(c, s);
    x[base + k] = a + b;
    x[base + k + half] = a - b;
}
int main(int argc, char **argv)
{
    int bits = argc > 1 ? atoi(argv[1]) : 16;
    int n = 1 << bits;
    Complex *in, *out;
    cudaMalloc(&in, n * sizeof(Complex));
    cudaMalloc(&out, n * sizeof(Complex));
    bit_reverse<<<(n + 255) / 256, 256>>>(in, out, n, bits);
    for (int half = 1; half < n; half *= 2)
        stage<<<(n / 2 + 255) / 256, 256>>>(out, n, half);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
