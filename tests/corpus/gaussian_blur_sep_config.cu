// args: --w 1280 --h 720
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Color { float r, g, b; };

#define RADIUS 4
__constant__ float gauss[2 * RADIUS + 1];
__global__ void blur_rows(const Color *in, Color *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float r = 0, g = 0, b = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) {
    int xx = min(max(x + k, 0), w - 1);
    r += gauss[k + RADIUS] * in[y * w + xx].r;
    g += gauss[k + RADIUS] * in[y * w + xx].g;
    b += gauss[k + RADIUS] * in[y * w + xx].b;
  }
  out[y * w + x].r = r;
  out[y * w + x].g = g;
  out[y * w + x].b = b;
}

struct Config {
  int w = 256;
  int h = 256;
  int repeat = 1;
};

static Config parse(int argc, char **argv)
{
  Config c;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--w") == 0 && i + 1 < argc) c.w = atoi(argv[++i]);
    else if (strcmp(argv[i], "--h") == 0 && i + 1 < argc) c.h = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--repeat") && i + 1 < argc) c.repeat = atoi(argv[++i]);
  }
  return c;
}

static void run(const Config &cfg)
{
  const int w = cfg.w, h = cfg.h;
  Color *in = nullptr;
  cudaMalloc(&in, sizeof(Color) * (w * h));
  Color *out = nullptr;
  cudaMalloc(&out, sizeof(Color) * (w * h));
  for (int r = 0; r < cfg.repeat; r++) {
    blur_rows<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
  }
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
