// args: 24
#include <cstdio>
#include <cstdlib>
#define N (1 << 20)
struct Color { float r, g, b; };
__global__ void gamma_correct(Color *image, int n, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        image[i].r = powf(image[i].r, g);
        image[i].g = powf(image[i].g, g);
        image[i].b = powf(image[i].b, g);
    }
}
typedef void (*kernel_t)(Color *, int, float);
float time_kernel(kernel_t kernel, Color *image, int repeats)
{
    cudaEvent_t start, stop;
    float milliseconds;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    for (int i = 0; i < repeats; i++) kernel<<<N / 256, 256>>>(image, N, 2.2f);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&milliseconds, start, stop);
    return milliseconds / repeats;
}
int main(int argc, char **argv)
{
    Color *image;
    cudaMalloc(&image, N * sizeof(Color));
    printf("%f ms\n", time_kernel(gamma_correct, image, atoi(argv[1])));
}
