// args: --size 524288 --iters 32 --verbose
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>
#include <algorithm>
struct Edge { int src, dst; float weight; };
struct Dist { float value; int from; };
__global__ void relax(const Edge *edges, Dist *dist, int m, int *changed)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    float d = dist[edges[e].src].value + edges[e].weight;
    if (d < dist[edges[e].dst].value) {
        dist[edges[e].dst].value = d;
        dist[edges[e].dst].from = edges[e].src;
        *changed = 1;
    }
}
struct Options { int size = 1024; int iters = 8; bool verbose = false; };
static Options parse(const std::vector<std::string> &args)
{
    Options o;
    for (size_t i = 0; i < args.size(); ++i) {
        const std::string &a = args[i];
        if (a == "--size" && i + 1 < args.size()) o.size = std::stoi(args[++i]);
        else if (a == "--iters" && i + 1 < args.size()) o.iters = std::stoi(args[++i]);
        else if (a == "--verbose") o.verbose = true;
    }
    return o;
}
int main(int argc, char **argv)
{
    const Options o = parse(std::vector<std::string>(argv + 1, argv + argc));
    const int n = o.size, m = 4 * n;
    Edge *edges; Dist *dist; int *changed;
    cudaMalloc(&edges, m * sizeof(Edge));
    cudaMalloc(&dist, n * sizeof(Dist));
    cudaMalloc(&changed, sizeof(int));
    for (int i = 0; i < o.iters; ++i) relax<<<(m + 255) / 256, 256>>>(edges, dist, m, changed);
    cudaDeviceSynchronize();
    if (o.verbose) printf("done\n");
}
