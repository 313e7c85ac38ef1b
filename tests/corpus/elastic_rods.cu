// args: 4096 32
#include <cstdio>
#include <cstdlib>
#include <vector>
struct alignas(16) Joint { float x, y, z, w; float vx, vy, vz, mass; };
struct RodSystem {
    int rods, joints; Joint *state = nullptr;
    RodSystem(int r, int j) : rods(r), joints(j) { cudaMalloc(&state, total() * sizeof(Joint)); }
    ~RodSystem() { cudaFree(state); }
    int total() const { return rods * joints; }
};
__global__ void solve(Joint *s, int rods, int joints, int parity)
{
    int r = blockIdx.x, k = 2 * threadIdx.x + parity;
    if (r >= rods || k + 1 >= joints) return;
    Joint &a = s[r * joints + k], &b = s[r * joints + k + 1];
    float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, len = sqrtf(dx * dx + dy * dy + dz * dz), c = 0.5f * (len - 1.0f) / len;
    a.x += c * dx; a.y += c * dy; a.z += c * dz; b.x -= c * dx; b.y -= c * dy; b.z -= c * dz;
}
__global__ void advance(Joint *s, int n, float dt) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { s[i].vy -= 9.81f * dt; s[i].x += s[i].vx * dt; s[i].y += s[i].vy * dt; s[i].z += s[i].vz * dt; } }
void step(RodSystem &sys, int iterations)
{
    advance<<<(sys.total() + 255) / 256, 256>>>(sys.state, sys.total(), 0.001f);
    for (int i = 0; i < iterations; i++) for (int p = 0; p < 2; p++) solve<<<sys.rods, sys.joints / 2>>>(sys.state, sys.rods, sys.joints, p);
}
int main(int argc, char **argv)
{
    if (argc < 3) { puts("usage: rods RODS JOINTS"); return EXIT_FAILURE; }
    RodSystem sys(atoi(argv[1]), atoi(argv[2]));
    for (int frame = 0; frame < 10; frame++) step(sys, 8);
    cudaDeviceSynchronize();
    return EXIT_SUCCESS;
}
