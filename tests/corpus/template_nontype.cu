// args: 500000
#include <cstdio>
#include <string>
template <typename T, int D> struct Point { T coordinate[D]; T weight; };
template <typename T, int D, int BLOCK>
__global__ void centroid(const Point<T, D> *points, T *sums, int n)
{
    __shared__ T partial[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    for (int d = 0; d < D; d++) {
        partial[threadIdx.x] = i < n ? points[i].coordinate[d] * points[i].weight : T(0);
        __syncthreads();
        for (int s = BLOCK / 2; s > 0; s >>= 1) {
            if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
            __syncthreads();
        }
        if (threadIdx.x == 0) atomicAdd(&sums[d], partial[0]);
        __syncthreads();
    }
}
template <typename T, int D> void run(int n)
{
    constexpr int BLOCK = 256;
    Point<T, D> *points;
    T *sums;
    cudaMalloc(&points, n * sizeof(Point<T, D>));
    cudaMalloc(&sums, D * sizeof(T));
    centroid<T, D, BLOCK><<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(points, sums, n);
    cudaFree(points);
    cudaFree(sums);
}
int main(int argc, char **argv)
{
    int n = std::stoi(argv[1]);
    run<float, 2>(n);
    run<float, 3>(n);
    run<double, 3>(n);
}
