#ifndef INCLUDE_KERNELS_CUH
#define INCLUDE_KERNELS_CUH
struct Edge { int source, target; float weight; };
__global__ void relax(const Edge *edges, float *distance, int *changed, int count)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    float candidate = distance[edges[e].source] + edges[e].weight;
    if (candidate < distance[edges[e].target]) {
        distance[edges[e].target] = candidate;
        *changed = 1;
    }
}
#endif
