// args: 1920 1080 3
#include <iostream>
#include <string>
#include <stdexcept>

using uchar = unsigned char;

struct Pixel { uchar b, g, r, a; };

template <int RADIUS>
__global__ void bilateral(const Pixel *__restrict__ src, Pixel *__restrict__ dst, int width, int height, float sigma_s, float sigma_r)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const Pixel c = src[y * width + x];
    float sb = 0, sg = 0, sr = 0, norm = 0;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy) {
        for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
            int xx = min(max(x + dx, 0), width - 1), yy = min(max(y + dy, 0), height - 1);
            const Pixel p = src[yy * width + xx];
            float db = p.b - c.b, dg = p.g - c.g, dr = p.r - c.r;
            float wgt = __expf(-(dx * dx + dy * dy) * sigma_s - (db * db + dg * dg + dr * dr) * sigma_r);
            sb += wgt * p.b; sg += wgt * p.g; sr += wgt * p.r; norm += wgt;
        }
    }
    Pixel out;
    out.b = (uchar)(sb / norm); out.g = (uchar)(sg / norm); out.r = (uchar)(sr / norm); out.a = c.a;
    dst[y * width + x] = out;
}

inline int div_up(int a, int b) { return (a + b - 1) / b; }

template <int R> void run(const Pixel *s, Pixel *d, int w, int h)
{
    const dim3 threads(16, 16);
    const dim3 blocks(div_up(w, threads.x), div_up(h, threads.y));
    bilateral<R><<<blocks, threads>>>(s, d, w, h, 0.01f, 0.001f);
}

int main(int argc, char **argv)
{
    try {
        if (argc < 3) throw std::runtime_error("usage: bilateral width height [radius]");
        const int w = std::stoi(argv[1]), h = std::stoi(argv[2]);
        const int radius = argc > 3 ? std::stoi(argv[3]) : 2;
        Pixel *src, *dst;
        cudaMalloc(&src, size_t(w) * h * sizeof(Pixel));
        cudaMalloc(&dst, size_t(w) * h * sizeof(Pixel));
        switch (radius) {
        case 1: run<1>(src, dst, w, h); break;
        case 2: run<2>(src, dst, w, h); break;
        case 3: run<3>(src, dst, w, h); break;
        default: throw std::runtime_error("bad radius");
        }
        cudaDeviceSynchronize();
        cudaFree(src); cudaFree(dst);
    } catch (const std::exception &e) {
        std::cerr << e.what() << std::endl;
        return 1;
    }
    return 0;
}
