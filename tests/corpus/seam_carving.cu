// args: 1920 1080 100
#include <cstdio>
#include <cstdlib>
#include <utility>
struct Px { float r, g, b, energy; };
__global__ void energy(Px *p, int w, int h, int stride) { int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; if (x >= w - 1 || y >= h - 1) return; Px a = p[y * stride + x], b = p[y * stride + x + 1], c = p[(y + 1) * stride + x]; p[y * stride + x].energy = fabsf(a.r - b.r) + fabsf(a.g - b.g) + fabsf(a.b - b.b) + fabsf(a.r - c.r); }
__global__ void path(const Px *p, float *cost, int w, int y, int stride) { int x = blockIdx.x * 256 + threadIdx.x; if (x >= w) return; float m = cost[(y - 1) * stride + x]; if (x > 0) m = fminf(m, cost[(y - 1) * stride + x - 1]); if (x < w - 1) m = fminf(m, cost[(y - 1) * stride + x + 1]); cost[y * stride + x] = m + p[y * stride + x].energy; }
__global__ void carve(const Px *in, Px *out, const int *seam, int w, int h, int stride) { int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y; if (x >= w - 1 || y >= h) return; out[y * stride + x] = in[y * stride + x + (x >= seam[y])]; }
int main(int argc, char **argv)
{
    int w = atoi(argv[1]), h = atoi(argv[2]), seams = atoi(argv[3]); const int stride = w;
    Px *a, *b; float *cost; int *seam;
    cudaMalloc(&a, sizeof(Px) * w * h); cudaMalloc(&b, sizeof(Px) * w * h); cudaMalloc(&cost, 4 * w * h); cudaMalloc(&seam, 4 * h);
    while (seams--) {
        dim3 t(16, 16), g((w + 15) / 16, (h + 15) / 16);
        energy<<<g, t>>>(a, w, h, stride);
        for (int y = 1; y < h; y++) path<<<(w + 255) / 256, 256>>>(a, cost, w, y, stride);
        carve<<<g, t>>>(a, b, seam, w, h, stride);
        std::swap(a, b);
        --w;
    }
    cudaDeviceSynchronize();
}
