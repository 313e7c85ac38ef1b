// args: 100000 10
#include <cstdio>
#include <cstdlib>
#include "include_kernels.cuh"
int main(int argc, char **argv)
{
    int vertices = atoi(argv[1]), degree = atoi(argv[2]);
    int count = vertices * degree;
    Edge *edges;
    float *distance;
    int *changed;
    cudaMalloc(&edges, count * sizeof(Edge));
    cudaMalloc(&distance, vertices * sizeof(float));
    cudaMalloc(&changed, sizeof(int));
    for (int round = 0; round < vertices - 1; round++) {
        int flag = 0;
        cudaMemset(changed, 0, sizeof(int));
        relax<<<(count + 255) / 256, 256>>>(edges, distance, changed, count);
        cudaMemcpy(&flag, changed, sizeof(int), cudaMemcpyDeviceToHost);
        if (!flag) break;
    }
}
