// A number of main's command line, or what main takes without one, that goes to constant memory: main is followed twice, and what is known the second time counts.
#include <cstdlib>
__constant__ int width;
__global__ void brighten(const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = 2 * in[y * width + x];
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2048;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemcpyToSymbol(width, &n, sizeof n);
    brighten<<<dim3(128, 128), dim3(16, 16)>>>(in, out);
}
