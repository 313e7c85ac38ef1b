// args: 131072
#include <cstdio>
#include <cstdlib>

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

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_nodes, sizeof(NodeInfo) * (n_));
    cudaMalloc(&d_edge, sizeof(int) * (6 * n_));
    cudaMalloc(&d_mask, sizeof(bool) * (n_));
    cudaMalloc(&d_visited, sizeof(bool) * (n_));
    cudaMalloc(&d_cost, sizeof(int) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_nodes);
    cudaFree(d_edge);
    cudaFree(d_mask);
    cudaFree(d_visited);
    cudaFree(d_cost);
  }
  void step()
  {
    bfs<<<(n_ + 255) / 256, 256>>>(d_nodes, d_edge, d_mask, d_visited, d_cost, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  NodeInfo *d_nodes = nullptr;
  int *d_edge = nullptr;
  bool *d_mask = nullptr;
  bool *d_visited = nullptr;
  int *d_cost = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
