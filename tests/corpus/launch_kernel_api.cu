// args: 65536
#include <cstdio>
#include <cstdlib>
struct Item { int key; float payload[3]; };
__global__ void normalise(Item *items, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = rsqrtf(items[i].payload[0] * items[i].payload[0] + items[i].payload[1] * items[i].payload[1] + items[i].payload[2] * items[i].payload[2]);
    for (int k = 0; k < 3; k++) items[i].payload[k] *= s;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    Item *items = nullptr;
    cudaMalloc(&items, sizeof(Item) * n);
    void *arguments[] = {&items, &n};
    cudaLaunchKernel((const void *)normalise, dim3((n + 63) / 64), dim3(64), arguments, 0, 0);
    cudaDeviceSynchronize();
    cudaFree(items);
}
