// args: 8192 784 512 10
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
struct Neuron { float bias, out; };
struct Layer { int in, out; float *w; Neuron *n; };
__global__ void dense(const float *w, const Neuron *prev, Neuron *next, int in, int out, int batch)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
    if (o >= out || b >= batch) return;
    float s = next[o].bias;
    for (int k = 0; k < in; k++) s += w[k * out + o] * prev[b * in + k].out;
    next[b * out + o].out = s > 0 ? s : 0;
}
int main(int argc, char **argv)
{
    std::vector<int> sizes;
    int batch = std::stoi(argv[1]);
    for (int i = 2; i < argc; ++i) sizes.push_back(std::stoi(argv[i]));
    std::vector<Layer> layers;
    for (size_t i = 0; i + 1 < sizes.size(); ++i) {
        Layer l; l.in = sizes[i]; l.out = sizes[i + 1];
        cudaMalloc(&l.w, l.in * l.out * sizeof(float)); cudaMalloc(&l.n, (size_t)batch * l.out * sizeof(Neuron));
        layers.push_back(l);
    }
    Neuron *input; cudaMalloc(&input, (size_t)batch * sizes[0] * sizeof(Neuron));
    Neuron *x = input;
    for (const Layer &l : layers) {
        dim3 t(32, 8), g((l.out + 31) / 32, (batch + 7) / 8);
        dense<<<g, t>>>(l.w, x, l.n, l.in, l.out, batch);
        x = l.n;
    }
    cudaDeviceSynchronize();
}
