// args: 1024 100
// Three levels of time that rotate: none of them is a member of a record with another, nor with the speed.
#include <cstdlib>
#include <utility>
__global__ void step(const float *older, const float *now, float *next, const float *speed, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
    int i = y * n + x;
    next[i] = 2 * now[i] - older[i] + speed[i] * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]);
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    float *older, *now, *next, *speed;
    cudaMalloc(&older, n * n * 4); cudaMalloc(&now, n * n * 4); cudaMalloc(&next, n * n * 4); cudaMalloc(&speed, n * n * 4);
    for (int s = 0; s < steps; s++) {
        step<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(older, now, next, speed, n);
        std::swap(older, now);
        std::swap(now, next);
    }
}
