// args: 4000000
#include <cstdio>
#include <cstdlib>
struct Sample { float re, im; };
__global__ void window(Sample *s, int n, int offset, int total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float w = 0.5f - 0.5f * cosf(6.2831853f * (offset + i) / total);
    s[i].re *= w;
    s[i].im *= w;
}
int main(int argc, char **argv)
{
    int total = argc > 1 ? atoi(argv[1]) : 1 << 20;
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (devices == 0) { printf("no GPU\n"); return 1; }
    int share = (total + devices - 1) / devices;
    Sample **parts = (Sample **)malloc(devices * sizeof(Sample *));
    for (int d = 0; d < devices; d++) {
        cudaSetDevice(d);
        int n = d == devices - 1 ? total - d * share : share;
        cudaMalloc(&parts[d], n * sizeof(Sample));
        window<<<(n + 255) / 256, 256>>>(parts[d], n, d * share, total);
    }
    for (int d = 0; d < devices; d++) { cudaSetDevice(d); cudaDeviceSynchronize(); }
}
