// args: 1024 500
#include "device_buffer.hpp"
#include <iostream>
#include <string>
struct Node { float temperature, conductivity; };
__global__ void diffuse(const Node *in, Node *out, int width, int height, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int c = y * width + x;
    float flux = in[c - 1].temperature + in[c + 1].temperature + in[c - width].temperature + in[c + width].temperature - 4 * in[c].temperature;
    out[c].temperature = in[c].temperature + dt * in[c].conductivity * flux;
    out[c].conductivity = in[c].conductivity;
}
int main(int argc, char *argv[])
{
    try {
        const int size = argc > 1 ? std::stoi(argv[1]) : 512;
        const int steps = argc > 2 ? std::stoi(argv[2]) : 100;
        DeviceBuffer<Node> current(static_cast<std::size_t>(size) * size), next(static_cast<std::size_t>(size) * size);
        std::vector<Node> host(static_cast<std::size_t>(size) * size, Node{20.f, 0.1f});
        current.upload(host);
        const dim3 block(32, 8);
        const dim3 grid((size + block.x - 1) / block.x, (size + block.y - 1) / block.y);
        for (int step = 0; step < steps; ++step) {
            diffuse<<<grid, block>>>(current.get(), next.get(), size, size, 0.2f);
            swap(current, next);
        }
        cudaDeviceSynchronize();
    } catch (const std::exception &e) {
        std::cerr << e.what() << std::endl;
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
