// args:
#include <cstdio>

struct LatLong { float lat, lng; };

__global__ void euclid(const LatLong *loc, float *dist, int n, float lat, float lng)
{
  int gid = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (gid < n) {
    const LatLong *l = loc + gid;
    dist[gid] = sqrtf((lat - l->lat) * (lat - l->lat) + (lng - l->lng) * (lng - l->lng));
  }
}

int main()
{
  const int n = 1 << 17;
  LatLong *loc;
  cudaMallocManaged(&loc, (n) * sizeof(*loc));
  float *dist;
  cudaMallocManaged(&dist, (n) * sizeof(*dist));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  euclid<<<blocks, threads>>>(loc, dist, n, 30.0f, 90.0f);
  cudaDeviceSynchronize();
  cudaFree(loc);
  cudaFree(dist);
  return 0;
}
