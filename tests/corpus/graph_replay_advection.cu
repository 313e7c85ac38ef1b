// args: 512 1000
#include <cstdio>
#include <cstdlib>
struct Tracer { float c, u, v; };
__global__ void advect(const Tracer *in, Tracer *out, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1) return;
    int k = j * n + i;
    float gx = in[k].u > 0 ? in[k].c - in[k - 1].c : in[k + 1].c - in[k].c;
    float gy = in[k].v > 0 ? in[k].c - in[k - n].c : in[k + n].c - in[k].c;
    out[k].c = in[k].c - dt * (in[k].u * gx + in[k].v * gy);
    out[k].u = in[k].u;
    out[k].v = in[k].v;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    Tracer *a, *b;
    cudaMalloc(&a, n * n * sizeof(Tracer));
    cudaMalloc(&b, n * n * sizeof(Tracer));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int s = 0; s < 10; s++) {
        advect<<<grid, block, 0, stream>>>(a, b, n, 0.1f);
        advect<<<grid, block, 0, stream>>>(b, a, n, 0.1f);
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
    for (int s = 0; s < steps / 20; s++) cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(a); cudaFree(b);
}
