struct body { float x, y, z, w; };
namespace sim {
template <typename T> __global__ void step(body *b, T dt) { int i = blockIdx.x * blockDim.x + threadIdx.x; b[i].x += dt * b[i].y; }
}
int main() { body *b; cudaMalloc(&b, sizeof(body) << 20); for (int i = 0; i < 3; i++) sim::step<float><<<4096, 256>>>(b, 0.5f); }
