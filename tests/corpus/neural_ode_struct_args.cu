// args: 65536 8
#include <cstdio>
#include <cstdlib>
struct Neuron { float v, w, input, last_spike; };
struct Args { Neuron *cells; int count; float dt, tau; unsigned long long *spikes; };
__global__ void izhikevich(Args a)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += blockDim.x * gridDim.x) {
        Neuron c = a.cells[i];
        c.v += a.dt * (0.04f * c.v * c.v + 5 * c.v + 140 - c.w + c.input);
        c.w += a.dt * 0.02f * (0.2f * c.v - c.w);
        if (c.v >= 30.0f) { c.v = -65.0f; c.w += 8.0f; c.last_spike = a.tau; atomicAdd(a.spikes, 1ull); }
        a.cells[i] = c;
    }
}
int main(int argc, char **argv)
{
    Args a = {};
    a.count = argc > 1 ? atoi(argv[1]) : 1024;
    int per_sm = argc > 2 ? atoi(argv[2]) : 4;
    a.dt = 0.5f;
    cudaMalloc(&a.cells, a.count * sizeof(Neuron));
    cudaMalloc(&a.spikes, sizeof(unsigned long long));
    int sms = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    for (a.tau = 0; a.tau < 100; a.tau += a.dt) izhikevich<<<sms * per_sm, 128>>>(a);
    cudaDeviceSynchronize();
}
