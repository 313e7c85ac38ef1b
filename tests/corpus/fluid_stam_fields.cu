// args: 1024 60
// Stable fluids on a grid: velocity in two fields, density, all ping-pong; a struct of two buffers that swaps itself.
#include <cstdio>
#include <cstdlib>
#include <utility>

struct Field {
  float *front, *back;
  int w, h;
  void create(int width, int height) {
    w = width; h = height;
    cudaMalloc(&front, (size_t)w * h * sizeof(float));
    cudaMalloc(&back, (size_t)w * h * sizeof(float));
    cudaMemset(front, 0, (size_t)w * h * sizeof(float));
    cudaMemset(back, 0, (size_t)w * h * sizeof(float));
  }
  void swap() { std::swap(front, back); }
  void destroy() { cudaFree(front); cudaFree(back); }
};

__device__ float bilinear(const float *f, float x, float y, int w, int h) {
  x = fminf(fmaxf(x, 0.f), w - 1.001f);
  y = fminf(fmaxf(y, 0.f), h - 1.001f);
  int i = (int)x, j = (int)y;
  float s = x - i, t = y - j;
  return (1 - t) * ((1 - s) * f[j * w + i] + s * f[j * w + i + 1]) + t * ((1 - s) * f[(j + 1) * w + i] + s * f[(j + 1) * w + i + 1]);
}

__global__ void advect(float *out, const float *in, const float *u, const float *v, int w, int h, float dt) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int i = y * w + x;
  out[i] = bilinear(in, x - dt * u[i], y - dt * v[i], w, h);
}

__global__ void divergence(float *div, const float *u, const float *v, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  div[i] = 0.5f * (u[i + 1] - u[i - 1] + v[i + w] - v[i - w]);
}

__global__ void jacobi(float *out, const float *in, const float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w] - b[i]);
}

__global__ void project(float *u, float *v, const float *p, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  u[i] -= 0.5f * (p[i + 1] - p[i - 1]);
  v[i] -= 0.5f * (p[i + w] - p[i - w]);
}

static Field U, V, D, P;
static float *g_div;

static void frame(float dt, int iterations) {
  dim3 b(16, 16), g((U.w + b.x - 1) / b.x, (U.h + b.y - 1) / b.y);
  advect<<<g, b>>>(U.back, U.front, U.front, V.front, U.w, U.h, dt);
  advect<<<g, b>>>(V.back, V.front, U.front, V.front, U.w, U.h, dt);
  U.swap();
  V.swap();
  divergence<<<g, b>>>(g_div, U.front, V.front, U.w, U.h);
  for (int k = 0; k < iterations; ++k) {
    jacobi<<<g, b>>>(P.back, P.front, g_div, P.w, P.h);
    P.swap();
  }
  project<<<g, b>>>(U.front, V.front, P.front, U.w, U.h);
  advect<<<g, b>>>(D.back, D.front, U.front, V.front, D.w, D.h, dt);
  D.swap();
}

int main(int argc, char **argv) {
  int n = 512, frames = 10;
  switch (argc) {
    case 3: frames = atoi(argv[2]); /* fall through */
    case 2: n = atoi(argv[1]);
  }
  U.create(n, n); V.create(n, n); D.create(n, n); P.create(n, n);
  cudaMalloc(&g_div, (size_t)n * n * sizeof(float));
  for (int f = 0; f < frames; ++f) frame(0.1f, 40);
  cudaDeviceSynchronize();
  U.destroy(); V.destroy(); D.destroy(); P.destroy();
  cudaFree(g_div);
  puts("done");
}
