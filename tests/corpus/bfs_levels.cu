// args: 1048576 16
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Vertex { int begin, degree, level, parent; };
__global__ void expand(Vertex *v, const int *adj, const int *frontier, int frontier_size, int *next, int *next_size, int level)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= frontier_size) return;
    int u = frontier[t];
    int first = v[u].begin, last = first + v[u].degree;
    for (int e = first; e < last; e++) {
        int w = adj[e];
        if (atomicCAS(&v[w].level, -1, level) == -1) {
            v[w].parent = u;
            next[atomicAdd(next_size, 1)] = w;
        }
    }
}
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const int degree = argc > 2 ? atoi(argv[2]) : 8;
    std::vector<Vertex> graph(n);
    std::vector<int> adjacency;
    for (int i = 0; i < n; i++) {
        graph[i].begin = i * degree;
        graph[i].degree = degree;
        graph[i].level = -1;
        for (int k = 0; k < degree; k++) adjacency.push_back(rand() % n);
    }
    Vertex *dv; int *dadj, *fa, *fb, *dsize;
    cudaMalloc(&dv, graph.size() * sizeof(Vertex));
    cudaMalloc(&dadj, adjacency.size() * sizeof(int));
    cudaMalloc(&fa, n * sizeof(int));
    cudaMalloc(&fb, n * sizeof(int));
    cudaMalloc(&dsize, sizeof(int));
    cudaMemcpy(dv, graph.data(), graph.size() * sizeof(Vertex), cudaMemcpyHostToDevice);
    cudaMemcpy(dadj, adjacency.data(), adjacency.size() * sizeof(int), cudaMemcpyHostToDevice);
    int size = 1, level = 1;
    while (size > 0) {
        cudaMemset(dsize, 0, sizeof(int));
        expand<<<(size + 255) / 256, 256>>>(dv, dadj, fa, size, fb, dsize, level);
        cudaMemcpy(&size, dsize, sizeof(int), cudaMemcpyDeviceToHost);
        std::swap(fa, fb);
        level++;
    }
    printf("%d levels\n", level);
}
