// args: 1000000 20
// An array that each step makes and gives back does not live as long as the state; nor does one that is freed before the last kernel.
#include <cstdlib>
__global__ void step(float *mass, float *heat, float *flux, const float *once, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        flux[i] = heat[i] * mass[i];
        heat[i] -= flux[i] * once[i];
        mass[i] += flux[i];
    }
}
__global__ void finish(float *mass, float *heat, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) heat[i] /= mass[i];
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    float *mass, *heat, *once;
    cudaMalloc(&mass, n * 4); cudaMalloc(&heat, n * 4); cudaMalloc(&once, n * 4);
    for (int s = 0; s < steps; s++) {
        float *flux;
        cudaMalloc(&flux, n * 4);
        step<<<(n + 255) / 256, 256>>>(mass, heat, flux, once, n);
        cudaFree(flux);
    }
    cudaFree(once);
    finish<<<(n + 255) / 256, 256>>>(mass, heat, n);
    cudaFree(mass);
    cudaFree(heat);
}
