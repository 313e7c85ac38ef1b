// args: 50000 7
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
template <typename T, int B> struct Block { T a[B * B]; };
template <typename T, int B>
__global__ void bsr_spmv(int rows, const int *__restrict__ row_ptr, const int *__restrict__ cols, const Block<T, B> *__restrict__ blocks, const T *__restrict__ x, T *__restrict__ y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    T sum[B] = {};
    for (int k = row_ptr[r]; k < row_ptr[r + 1]; ++k) {
        const int c = cols[k] * B;
        for (int i = 0; i < B; ++i)
            for (int j = 0; j < B; ++j) sum[i] += blocks[k].a[i * B + j] * x[c + j];
    }
    for (int i = 0; i < B; ++i) y[r * B + i] = sum[i];
}
template <typename T> struct CudaDeleter { void operator()(T *p) const { cudaFree(p); } };
template <typename T> using device_ptr = std::unique_ptr<T[], CudaDeleter<T>>;
template <typename T> device_ptr<T> device_alloc(size_t n)
{
    T *p = nullptr;
    if (cudaMalloc(reinterpret_cast<void **>(&p), n * sizeof(T)) != cudaSuccess) std::abort();
    return device_ptr<T>(p);
}
int main(int argc, char **argv)
{
    const int rows = std::atoi(argv[1]), per_row = std::atoi(argv[2]);
    constexpr int B = 3;
    std::vector<int> row_ptr(rows + 1), cols(rows * per_row);
    for (int i = 0; i <= rows; ++i) row_ptr[i] = i * per_row;
    for (auto &c : cols) c = rand() % rows;
    auto d_ptr = device_alloc<int>(row_ptr.size());
    auto d_cols = device_alloc<int>(cols.size());
    auto d_blocks = device_alloc<Block<double, B>>(cols.size());
    auto d_x = device_alloc<double>(rows * B);
    auto d_y = device_alloc<double>(rows * B);
    cudaMemcpy(d_ptr.get(), row_ptr.data(), row_ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_cols.get(), cols.data(), cols.size() * sizeof(int), cudaMemcpyHostToDevice);
    for (int it = 0; it < 20; ++it)
        bsr_spmv<double, B><<<(rows + 127) / 128, 128>>>(rows, d_ptr.get(), d_cols.get(), d_blocks.get(), d_x.get(), d_y.get());
    cudaDeviceSynchronize();
    return 0;
}
