// args: 200000 16
// Points and means have different numbers of elements.
#include <cstdlib>
__global__ void nearest(const float *x, const float *y, const float *mean_x, const float *mean_y, float *far, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 1e30f;
    for (int c = 0; c < k; c++) {
        float dx = x[i] - mean_x[c], dy = y[i] - mean_y[c];
        best = fminf(best, dx * dx + dy * dy);
    }
    far[i] = best;
}
__global__ void both(const float *x, const float *mean_x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[0] = x[i] + mean_x[i];
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), k = atoi(argv[2]);
    float *x, *y, *mean_x, *mean_y, *far;
    cudaMalloc(&x, n * 4); cudaMalloc(&y, n * 4); cudaMalloc(&mean_x, k * 4); cudaMalloc(&mean_y, k * 4); cudaMalloc(&far, n * 4);
    nearest<<<(n + 255) / 256, 256>>>(x, y, mean_x, mean_y, far, n, k);
    both<<<1, k>>>(x, mean_x, far, k);
}
