// args: 8192
#include <cstdlib>
struct Charge { float x, y, q, pad; };
extern __shared__ Charge tile[];
__global__ void forces(const Charge *charges, float2 *f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 sum = make_float2(0, 0);
    Charge own = charges[i];
    for (int base = 0; base < n; base += blockDim.x) {
        tile[threadIdx.x] = charges[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - own.x, dy = tile[j].y - own.y;
            float w = tile[j].q / (dx * dx + dy * dy + 0.01f);
            sum.x += w * dx;
            sum.y += w * dy;
        }
        __syncthreads();
    }
    f[i] = sum;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), block = 128;
    Charge *charges;
    float2 *f;
    cudaMalloc(&charges, n * sizeof(Charge));
    cudaMalloc(&f, n * sizeof(float2));
    forces<<<n / block, block, block * sizeof(Charge)>>>(charges, f, n);
    cudaDeviceSynchronize();
}
