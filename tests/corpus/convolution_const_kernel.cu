// args: 2048 1536
#include <cstdio>
#include <cstdlib>
#include <cmath>
#define KERNEL_RADIUS 7
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
struct Tap { float weight; int offset; };
__constant__ Tap c_taps[KERNEL_LENGTH];
struct Lab { float L, a, b; };
__global__ void rows(const Lab *in, Lab *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= w) return;
    float L = 0, a = 0, b = 0;
    for (int k = 0; k < KERNEL_LENGTH; k++) {
        int xx = x + c_taps[k].offset;
        if (xx >= 0 && xx < w) {
            L += c_taps[k].weight * in[y * w + xx].L;
            a += c_taps[k].weight * in[y * w + xx].a;
            b += c_taps[k].weight * in[y * w + xx].b;
        }
    }
    out[y * w + x].L = L; out[y * w + x].a = a; out[y * w + x].b = b;
}
static void set_kernel(float sigma)
{
    Tap taps[KERNEL_LENGTH];
    float sum = 0;
    for (int i = 0; i < KERNEL_LENGTH; i++) {
        taps[i].offset = i - KERNEL_RADIUS;
        taps[i].weight = expf(-taps[i].offset * taps[i].offset / (2 * sigma * sigma));
        sum += taps[i].weight;
    }
    for (int i = 0; i < KERNEL_LENGTH; i++) taps[i].weight /= sum;
    cudaMemcpyToSymbol(c_taps, taps, KERNEL_LENGTH * sizeof(Tap));
}
int main(int argc, char **argv)
{
    const int w = argc > 1 ? atoi(argv[1]) : 1024, h = argc > 2 ? atoi(argv[2]) : 768;
    Lab *in, *out;
    cudaMalloc(&in, w * h * sizeof(Lab));
    cudaMalloc(&out, w * h * sizeof(Lab));
    set_kernel(2.5f);
    rows<<<dim3((w + 127) / 128, h), 128>>>(in, out, w, h);
    cudaDeviceSynchronize();
}
