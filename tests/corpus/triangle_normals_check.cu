// args: 100000
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                              \
  do {                                                                                \
    cudaError_t err_ = (call);                                                        \
    if (err_ != cudaSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));   \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)

struct Vertex { float x, y, z; };
struct Triangle { int a, b, c; };
struct Normal { float nx, ny, nz; };

__global__ void normals(const Triangle *t, const Vertex *v, Normal *out, int n)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    Vertex a = v[t[i].a], b = v[t[i].b], c = v[t[i].c];
    float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, wx = c.x - a.x, wy = c.y - a.y, wz = c.z - a.z;
    out[i].nx = uy * wz - uz * wy;
    out[i].ny = uz * wx - ux * wz;
    out[i].nz = ux * wy - uy * wx;
  }
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Triangle *t = NULL; Vertex *v = NULL; Normal *out = NULL;
  CUDA_CHECK(cudaMalloc(&t, sizeof(Triangle) * (n)));
  CUDA_CHECK(cudaMalloc(&v, sizeof(Vertex) * (n)));
  CUDA_CHECK(cudaMalloc(&out, sizeof(Normal) * (n)));
  Triangle *host = (Triangle *)calloc(n, sizeof(Triangle));
  CUDA_CHECK(cudaMemcpy(t, host, sizeof(Triangle) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  normals<<<grid, block>>>(t, v, out, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, t, sizeof(Triangle) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(t));
  CUDA_CHECK(cudaFree(v));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
