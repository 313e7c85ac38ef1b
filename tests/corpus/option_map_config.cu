// args: size=2048 iterations=25
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct Field { float ez, hx, hy; };
struct Config { int size; int iterations; float courant; };
static bool readOption(const char *text, const char *name, int *value)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != '=') return false;
    *value = atoi(text + length + 1);
    return true;
}
__global__ void updateH(Field *f, int n, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n - 1 || j >= n - 1) return;
    f[j * n + i].hx -= c * (f[(j + 1) * n + i].ez - f[j * n + i].ez);
    f[j * n + i].hy += c * (f[j * n + i + 1].ez - f[j * n + i].ez);
}
__global__ void updateE(Field *f, int n, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n || j >= n) return;
    f[j * n + i].ez += c * (f[j * n + i].hy - f[j * n + i - 1].hy - f[j * n + i].hx + f[(j - 1) * n + i].hx);
}
static void run(const Config *config, Field *field)
{
    dim3 block(16, 16);
    dim3 grid((config->size + 15) / 16, (config->size + 15) / 16);
    for (int t = 0; t < config->iterations; t++) {
        updateH<<<grid, block>>>(field, config->size, config->courant);
        updateE<<<grid, block>>>(field, config->size, config->courant);
    }
}
int main(int argc, char *argv[])
{
    Config config = {256, 10, 0.5f};
    for (int a = 1; a < argc; a++)
        if (!readOption(argv[a], "size", &config.size) && !readOption(argv[a], "iterations", &config.iterations)) {
            fprintf(stderr, "what is %s?\n", argv[a]);
            return 1;
        }
    Field *field;
    cudaMalloc((void **)&field, sizeof(Field) * config.size * config.size);
    cudaMemset(field, 0, sizeof(Field) * config.size * config.size);
    run(&config, field);
    cudaDeviceSynchronize();
    return 0;
}
