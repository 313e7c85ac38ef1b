// args: 200000 12
#include <cstdio>
#include <cstdlib>
#include <vector>
struct CsrMatrix { int rows, nnz; int *offsets; int *columns; double *values; };
__global__ void spmv(CsrMatrix a, const double *x, double *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= a.rows) return;
    double sum = 0;
    for (int k = a.offsets[row]; k < a.offsets[row + 1]; ++k) sum += a.values[k] * x[a.columns[k]];
    y[row] = sum;
}
__global__ void axpy(double *y, const double *x, double alpha, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += alpha * x[i];
}
CsrMatrix allocate(int rows, int per_row)
{
    CsrMatrix a;
    a.rows = rows;
    a.nnz = rows * per_row;
    cudaMalloc(&a.offsets, (rows + 1) * sizeof(int));
    cudaMalloc(&a.columns, a.nnz * sizeof(int));
    cudaMalloc(&a.values, a.nnz * sizeof(double));
    return a;
}
int main(int argc, char **argv)
{
    CsrMatrix a = allocate(atoi(argv[1]), atoi(argv[2]));
    double *x, *y;
    cudaMalloc(&x, a.rows * sizeof(double));
    cudaMalloc(&y, a.rows * sizeof(double));
    const int threads = 128;
    for (int i = 0; i < 10; i++) {
        spmv<<<(a.rows + threads - 1) / threads, threads>>>(a, x, y);
        axpy<<<(a.rows + threads - 1) / threads, threads>>>(x, y, 0.5, a.rows);
    }
    cudaDeviceSynchronize();
}
