#pragma once
#include <cuda_runtime.h>

struct NodeInfo { int start, edges; };

__global__ void bfs(const NodeInfo *nodes, const int *edge, bool *mask, bool *visited, int *cost, int n)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n && mask[tid]) {
    mask[tid] = false;
    for (int i = nodes[tid].start; i < nodes[tid].start + nodes[tid].edges; i++) {
      int id = edge[i];
      if (!visited[id]) { cost[id] = cost[tid] + 1; visited[id] = true; }
    }
  }
}
