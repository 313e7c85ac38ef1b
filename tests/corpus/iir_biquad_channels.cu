// args: 512 48000
#include <stdio.h>
#include <stdlib.h>
#define NSECT 4
struct biquad { float b0, b1, b2, a1, a2; };
struct delay { float z1, z2; };
__constant__ struct biquad sections[NSECT];
__global__ void filter(const float *in, float *out, struct delay *state, int channels, int samples)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    struct delay z[NSECT];
    for (int s = 0; s < NSECT; s++) z[s] = state[c * NSECT + s];
    for (int t = 0; t < samples; t++) {
        float x = in[t * channels + c];
        for (int s = 0; s < NSECT; s++) {
            float y = sections[s].b0 * x + z[s].z1;
            z[s].z1 = sections[s].b1 * x - sections[s].a1 * y + z[s].z2;
            z[s].z2 = sections[s].b2 * x - sections[s].a2 * y;
            x = y;
        }
        out[t * channels + c] = x;
    }
    for (int s = 0; s < NSECT; s++) state[c * NSECT + s] = z[s];
}
int main(int argc, char **argv)
{
    int channels, samples;
    if (argc != 3 || sscanf(argv[1], "%d", &channels) != 1 || sscanf(argv[2], "%d", &samples) != 1) {
        fprintf(stderr, "usage: %s channels samples\n", argv[0]);
        return 1;
    }
    float *in, *out;
    struct delay *state;
    cudaMalloc((void **)&in, (size_t)channels * samples * sizeof(float));
    cudaMalloc((void **)&out, (size_t)channels * samples * sizeof(float));
    cudaMalloc((void **)&state, channels * NSECT * sizeof(struct delay));
    cudaMemset(state, 0, channels * NSECT * sizeof(struct delay));
    struct biquad h[NSECT] = {{1, 2, 1, -0.5f, 0.2f}, {1, 2, 1, -0.4f, 0.1f}, {1, -2, 1, -0.3f, 0.1f}, {1, -2, 1, -0.2f, 0.05f}};
    cudaMemcpyToSymbol(sections, h, sizeof h);
    filter<<<(channels + 63) / 64, 64>>>(in, out, state, channels, samples);
    cudaDeviceSynchronize();
    return 0;
}
