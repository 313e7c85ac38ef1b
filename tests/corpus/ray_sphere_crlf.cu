// args:
#include <stdio.h>

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

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Ray *rays; cudaMalloc(&rays, (size_t)(n)*sizeof(Ray));
  Sphere *scene; cudaMalloc(&scene, (size_t)(64)*sizeof(Sphere));
  float *depth; cudaMalloc(&depth, (size_t)(n)*sizeof(float));
  trace<<<(N+THREADS-1)/THREADS, THREADS>>>(rays, scene, depth, n, 64);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
