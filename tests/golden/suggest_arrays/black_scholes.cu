// args: 1000000
// Five arrays of one life, three read and two written.
#include <cstdlib>
__global__ void price(float *call, float *put, const float *stock, const float *strike, const float *years, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float d = __logf(stock[i] / strike[i]) * rsqrtf(years[i]);
        call[i] = stock[i] * d - strike[i];
        put[i] = strike[i] - stock[i] * d;
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    float *call, *put, *stock, *strike, *years;
    cudaMalloc(&call, n * 4); cudaMalloc(&put, n * 4); cudaMalloc(&stock, n * 4); cudaMalloc(&strike, n * 4); cudaMalloc(&years, n * 4);
    for (int k = 0; k < 512; k++) price<<<(n + 127) / 128, 128>>>(call, put, stock, strike, years, n);
    cudaFree(call); cudaFree(put); cudaFree(stock); cudaFree(strike); cudaFree(years);
}
