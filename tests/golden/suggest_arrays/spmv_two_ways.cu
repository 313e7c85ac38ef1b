// args: 65536 12
// Columns and values have equally many elements, row pointers one more than rows; two kernels that say the same are one note.
#include <cstdlib>
#include <vector>
__global__ void by_thread(const int *row, const int *column, const double *value, const double *x, double *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    if (r >= rows) return;
    for (int k = row[r]; k < row[r + 1]; k++) sum += value[k] * x[column[k]];
    y[r] = sum;
}
__global__ void by_warp(const int *row, const int *column, const double *value, const double *x, double *y, int rows)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    double sum = 0;
    if (r >= rows) return;
    for (int k = row[r] + threadIdx.x % 32; k < row[r + 1]; k += 32) sum += value[k] * x[column[k]];
    for (int o = 16; o; o /= 2) sum += __shfl_down_sync(~0u, sum, o);
    if (threadIdx.x % 32 == 0) y[r] = sum;
}
int main(int argc, char **argv)
{
    int rows = atoi(argv[1]), each = atoi(argv[2]), *row, *column;
    double *value, *x, *y;
    std::vector<int> r(rows + 1), c(rows * each);
    for (int i = 0; i <= rows; i++) r[i] = i * each;
    for (int i = 0; i < rows * each; i++) c[i] = (i * 31) % rows;
    cudaMalloc(&row, (rows + 1) * 4); cudaMalloc(&column, rows * each * 4); cudaMalloc(&value, rows * each * 8);
    cudaMalloc(&x, rows * 8); cudaMalloc(&y, rows * 8);
    cudaMemcpy(row, r.data(), (rows + 1) * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(column, c.data(), rows * each * 4, cudaMemcpyHostToDevice);
    by_thread<<<rows / 256, 256>>>(row, column, value, x, y, rows);
    by_warp<<<rows / 8, 256>>>(row, column, value, x, y, rows);
}
