// args: --width=1280 --height=720 --frames=30
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
struct Yuv { float y, u, v; };
struct Rgb8 { unsigned char r, g, b; };
__global__ void convert(const Rgb8 *__restrict__ in, Yuv *__restrict__ out, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    float r = in[i].r, g = in[i].g, b = in[i].b;
    out[i].y = 0.299f * r + 0.587f * g + 0.114f * b;
    out[i].u = -0.147f * r - 0.289f * g + 0.436f * b;
    out[i].v = 0.615f * r - 0.515f * g - 0.1f * b;
}
int main(int argc, char **argv)
{
    int width = 640, height = 480, frames = 1;
    for (int i = 1; i < argc; ++i) {
        std::string word = argv[i];
        auto equals = word.find('=');
        std::string name = word.substr(0, equals);
        if (name == "--width") width = std::stoi(word.substr(equals + 1));
        else if (name == "--height") height = std::stoi(word.substr(equals + 1));
        else if (name == "--frames") frames = std::stoi(word.substr(equals + 1));
        else throw std::invalid_argument(word);
    }
    const int pixels = width * height;
    Rgb8 *in;
    Yuv *out;
    cudaMalloc(&in, pixels * sizeof(Rgb8));
    cudaMalloc(&out, pixels * sizeof(Yuv));
    for (int f = 0; f < frames; f++) convert<<<(pixels + 255) / 256, 256>>>(in, out, pixels);
    cudaDeviceSynchronize();
}
