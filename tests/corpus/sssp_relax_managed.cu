// args:
#include <cstdio>

struct Edge { int from, to; float w; };

__global__ void relax(const Edge *edges, int *dist, int m)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < m) {
    int d = dist[edges[e].from] + (int)edges[e].w;
    atomicMin(&dist[edges[e].to], d);
  }
}

int main()
{
  const int n = 1 << 17;
  Edge *edges;
  cudaMallocManaged(&edges, (n) * sizeof(*edges));
  int *dist;
  cudaMallocManaged(&dist, (n) * sizeof(*dist));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  relax<<<blocks, threads>>>(edges, dist, n);
  cudaDeviceSynchronize();
  cudaFree(edges);
  cudaFree(dist);
  return 0;
}
