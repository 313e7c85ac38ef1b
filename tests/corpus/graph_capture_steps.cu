// args: 100000
#include <cstdio>
#include <cstdlib>
struct Spring { float x, v, k; };
__global__ void kick(Spring *s, int n, float dt) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) s[i].v -= dt * s[i].k * s[i].x; }
__global__ void drift(Spring *s, int n, float dt) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) s[i].x += dt * s[i].v; }
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    Spring *springs;
    cudaMalloc(&springs, n * sizeof(Spring));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    kick<<<(n + 255) / 256, 256, 0, stream>>>(springs, n, 0.01f);
    drift<<<(n + 255) / 256, 256, 0, stream>>>(springs, n, 0.01f);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 100; i++) cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
}
