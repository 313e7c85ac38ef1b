// args: 8 1048576
// Chunks copied and processed in several streams.
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Sample { float value, weight; int channel; };
__global__ void calibrate(Sample *samples, const float *gain, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i].value = samples[i].value * gain[samples[i].channel & 15] * samples[i].weight;
}
int main(int argc, char *argv[])
{
    int streams = argc > 1 ? atoi(argv[1]) : 4;
    size_t n = argc > 2 ? strtoul(argv[2], nullptr, 10) : 1 << 18;
    std::vector<cudaStream_t> queue(streams);
    for (auto &s : queue) cudaStreamCreate(&s);
    Sample *host, *device;
    float *gain;
    cudaMallocHost(&host, n * sizeof(Sample));
    cudaMalloc(&device, n * sizeof(Sample));
    cudaMalloc(&gain, 16 * sizeof(float));
    const int chunk = n / streams, block = 128;
    for (int s = 0; s < streams; s++) {
        Sample *part = device + s * chunk;
        cudaMemcpyAsync(part, host + s * chunk, chunk * sizeof(Sample), cudaMemcpyHostToDevice, queue[s]);
        calibrate<<<(chunk + block - 1) / block, block, 0, queue[s]>>>(part, gain, chunk);
        cudaMemcpyAsync(host + s * chunk, part, chunk * sizeof(Sample), cudaMemcpyDeviceToHost, queue[s]);
    }
    for (auto &s : queue) cudaStreamSynchronize(s);
    cudaFree(device);
    cudaFreeHost(host);
    cudaFree(gain);
}
