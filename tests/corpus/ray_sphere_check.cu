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

struct Ray { float3 o, d; };
struct Sphere { float3 c; float r; };

__device__ inline float dot3(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void trace(const Ray *rays, const Sphere *scene, float *depth, int nrays, int nspheres)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nrays) return;
  float best = 1e30f;
  for (int s = 0; s < nspheres; s++) {
    float3 oc = make_float3(rays[i].o.x - scene[s].c.x, rays[i].o.y - scene[s].c.y, rays[i].o.z - scene[s].c.z);
    float b = dot3(oc, rays[i].d), c = dot3(oc, oc) - scene[s].r * scene[s].r, q = b * b - c;
    if (q > 0) best = fminf(best, -b - sqrtf(q));
  }
  depth[i] = best;
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Ray *rays = NULL; Sphere *scene = NULL; float *depth = NULL;
  CUDA_CHECK(cudaMalloc(&rays, sizeof(Ray) * (n)));
  CUDA_CHECK(cudaMalloc(&scene, sizeof(Sphere) * (64)));
  CUDA_CHECK(cudaMalloc(&depth, sizeof(float) * (n)));
  Ray *host = (Ray *)calloc(n, sizeof(Ray));
  CUDA_CHECK(cudaMemcpy(rays, host, sizeof(Ray) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  trace<<<grid, block>>>(rays, scene, depth, n, 64);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, rays, sizeof(Ray) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(rays));
  CUDA_CHECK(cudaFree(scene));
  CUDA_CHECK(cudaFree(depth));
  return 0;
}
