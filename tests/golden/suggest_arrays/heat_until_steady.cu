// args: 1024
// Two buffers that change places in a loop whose length nobody knows, and a field of conductivities.
#include <cstdlib>
__global__ void relax(const float *from, float *to, const float *conductivity, float *change, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float was = from[i];
        to[i] = was + 0.1f * conductivity[i] * (1.0f - was);
        change[i] = to[i] - was;
    }
}
int main(int argc, char **argv)
{
    int n = 1 << 20;
    float *from, *to, *conductivity, *change, host = 1;
    cudaMalloc(&from, n * 4); cudaMalloc(&to, n * 4); cudaMalloc(&conductivity, n * 4); cudaMalloc(&change, n * 4);
    while (host > 1e-3f) {
        relax<<<n / 256, 256>>>(from, to, conductivity, change, n);
        cudaMemcpy(&host, change, 4, cudaMemcpyDeviceToHost);
        float *t = from;
        from = to;
        to = t;
    }
}
