// args: 1000000
// A kernel that is called with one array twice, and with others: what it multiplies is no record, wherever it is used.
#include <cstdlib>
__global__ void multiply(const double *a, const double *b, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * b[i];
}
__global__ void update(double *x, double *r, const double *p, const double *q, double alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
    }
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), grid = (n + 255) / 256;
    double *x, *r, *p, *q, *t;
    cudaMalloc(&x, n * 8); cudaMalloc(&r, n * 8); cudaMalloc(&p, n * 8); cudaMalloc(&q, n * 8); cudaMalloc(&t, n * 8);
    multiply<<<grid, 256>>>(r, r, t, n);
    multiply<<<grid, 256>>>(p, q, t, n);
    update<<<grid, 256>>>(x, r, p, q, 0.5, n);
}
