// args: 4096 4096 6
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Rgba { float r, g, b, a; };
__global__ void downsample(const Rgba *in, Rgba *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const Rgba *p = in + (2 * y) * (2 * w) + 2 * x;
    Rgba s;
    s.r = 0.25f * (p[0].r + p[1].r + p[2 * w].r + p[2 * w + 1].r);
    s.g = 0.25f * (p[0].g + p[1].g + p[2 * w].g + p[2 * w + 1].g);
    s.b = 0.25f * (p[0].b + p[1].b + p[2 * w].b + p[2 * w + 1].b);
    s.a = 0.25f * (p[0].a + p[1].a + p[2 * w].a + p[2 * w + 1].a);
    out[y * w + x] = s;
}
struct Level { Rgba *pixels; int width, height; };
int main(int argc, char **argv)
{
    if (argc < 4) { printf("usage: pyramid w h levels\n"); return 0; }
    int w = atoi(argv[1]), h = atoi(argv[2]), levels = atoi(argv[3]);
    std::vector<Level> pyramid;
    for (int l = 0; l < levels; l++) {
        Level level;
        level.width = w >> l;
        level.height = h >> l;
        cudaMalloc(&level.pixels, level.width * level.height * sizeof(Rgba));
        pyramid.push_back(level);
    }
    for (int l = 1; l < levels; l++) {
        dim3 block(16, 16), grid((pyramid[l].width + 15) / 16, (pyramid[l].height + 15) / 16);
        downsample<<<grid, block>>>(pyramid[l - 1].pixels, pyramid[l].pixels, pyramid[l].width, pyramid[l].height);
    }
    cudaDeviceSynchronize();
    for (auto &l : pyramid) cudaFree(l.pixels);
}
