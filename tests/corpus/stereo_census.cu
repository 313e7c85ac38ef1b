// args: --width 1280 --height 960 --disp 64
#include <iostream>
#include <map>
#include <string>
#include <cstdlib>
struct Cost { unsigned short best, disparity; };
__global__ void census(const unsigned char *img, unsigned *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
    unsigned bits = 0; unsigned char c = img[y * w + x];
    for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) bits = bits << 1 | (img[(y + j) * w + x + i] > c);
    out[y * w + x] = bits;
}
__global__ void match(const unsigned *l, const unsigned *r, Cost *cost, int w, int h, int disp)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    unsigned best = 64, at = 0;
    for (int d = 0; d < disp; d++) { if (x - d < 0) break; unsigned k = __popc(l[y * w + x] ^ r[y * w + x - d]); if (k < best) { best = k; at = d; } }
    cost[y * w + x].best = best; cost[y * w + x].disparity = at;
}
int main(int argc, char **argv)
{
    std::map<std::string, int> o{{"--width", 640}, {"--height", 480}, {"--disp", 32}};
    for (int i = 1; i + 1 < argc; i += 2) o[argv[i]] = std::atoi(argv[i + 1]);
    int w = o["--width"], h = o["--height"];
    unsigned char *img; unsigned *l, *r; Cost *c;
    cudaMalloc(&img, w * h); cudaMalloc(&l, w * h * 4); cudaMalloc(&r, w * h * 4); cudaMalloc(&c, w * h * sizeof(Cost));
    dim3 b(32, 8), g((w + 31) / 32, (h + 7) / 8);
    census<<<g, b>>>(img, l, w, h);
    census<<<g, b>>>(img, r, w, h);
    match<<<g, b>>>(l, r, c, w, h, o["--disp"]);
    cudaDeviceSynchronize();
}
