// args: 1920 1080
#include <cstdio>
#include <cstdlib>
#define RADIUS 4
__constant__ float kernel_weights[2 * RADIUS + 1];
struct Pixel { unsigned char r, g, b, a; };
__global__ void blurRows(const Pixel *in, Pixel *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float r = 0, g = 0, b = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) {
        int sx = min(max(x + k, 0), width - 1);
        Pixel p = in[y * width + sx];
        r += kernel_weights[k + RADIUS] * p.r;
        g += kernel_weights[k + RADIUS] * p.g;
        b += kernel_weights[k + RADIUS] * p.b;
    }
    out[y * width + x].r = (unsigned char)r;
    out[y * width + x].g = (unsigned char)g;
    out[y * width + x].b = (unsigned char)b;
    out[y * width + x].a = 255;
}
static void usage(const char *name) { printf("usage: %s width height\n", name); exit(2); }
int main(int argc, char **argv)
{
    if (argc != 3) usage(argv[0]);
    int width = atoi(argv[1]), height = atoi(argv[2]);
    float weights[2 * RADIUS + 1];
    for (int i = 0; i <= 2 * RADIUS; i++) weights[i] = 1.0f / (2 * RADIUS + 1);
    cudaMemcpyToSymbol(kernel_weights, weights, sizeof weights);
    Pixel *in, *out;
    size_t bytes = sizeof(Pixel) * width * height;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    dim3 block(16, 16);
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    for (int pass = 0; pass < 3; pass++) {
        blurRows<<<grid, block>>>(in, out, width, height);
        Pixel *t = in; in = out; out = t;
    }
    cudaDeviceSynchronize();
}
