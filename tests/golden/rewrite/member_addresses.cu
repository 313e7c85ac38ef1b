// A member reached from the address of another one: only layouts that keep the record keep that.
// incomplete: refused in soa and asta
#include <cstdio>
struct pair { float x, y; };
__device__ void jump(pair &p, float by)
{
    float *values = &p.x;
    values[1] += by;
}
__global__ void k(pair *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        jump(p[i], 2.0f);
}
__global__ void here(pair *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float *values = &p[i].x;
        values[1] *= 3.0f;
    }
}
int main()
{
    pair h[64], *d;
    for (int i = 0; i < 64; i++) h[i] = pair{1.0f * i, 2.0f};
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    k<<<1, 64>>>(d, 64);
    here<<<1, 64>>>(d, 64);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", h[3].x, h[3].y, h[4].x);
    cudaFree(d);
    return 0;
}
