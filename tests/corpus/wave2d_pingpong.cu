// args: 2048 1536 200
// Acoustic wave equation, second order in time: three levels that rotate.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#include <cmath>
#include <cuda_runtime.h>

#define CHECK(call)                                                              \
    do {                                                                         \
        cudaError_t err__ = (call);                                              \
        if (err__ != cudaSuccess) {                                              \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err__)); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

__global__ void wave_step(const float *__restrict__ u_prev, const float *__restrict__ u, float *__restrict__ u_next,
                          const float *__restrict__ vel, int nx, int ny, float dt2_dx2)
{
    int ix = threadIdx.x + blockIdx.x * blockDim.x;
    int iy = threadIdx.y + blockIdx.y * blockDim.y;
    if (ix < 1 || iy < 1 || ix >= nx - 1 || iy >= ny - 1) return;
    int i = iy * nx + ix;
    float lap = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] - 4.0f * u[i];
    float c = vel[i];
    u_next[i] = 2.0f * u[i] - u_prev[i] + dt2_dx2 * c * c * lap;
}

__global__ void add_source(float *u, int nx, int sx, int sy, float amplitude)
{
    if (threadIdx.x == 0) u[sy * nx + sx] += amplitude;
}

int main(int argc, char *argv[])
{
    int nx = argc > 1 ? atoi(argv[1]) : 512;
    int ny = argc > 2 ? atoi(argv[2]) : 512;
    int nt = argc > 3 ? atoi(argv[3]) : 100;
    size_t bytes = (size_t)nx * ny * sizeof(float);
    std::vector<float> vel((size_t)nx * ny, 1500.f);
    for (int j = ny / 2; j < ny; ++j)
        for (int i = 0; i < nx; ++i) vel[(size_t)j * nx + i] = 2500.f;

    float *d_prev, *d_cur, *d_next, *d_vel;
    CHECK(cudaMalloc(&d_prev, bytes));
    CHECK(cudaMalloc(&d_cur, bytes));
    CHECK(cudaMalloc(&d_next, bytes));
    CHECK(cudaMalloc(&d_vel, bytes));
    CHECK(cudaMemset(d_prev, 0, bytes));
    CHECK(cudaMemset(d_cur, 0, bytes));
    CHECK(cudaMemset(d_next, 0, bytes));
    CHECK(cudaMemcpy(d_vel, vel.data(), bytes, cudaMemcpyHostToDevice));

    dim3 block(32, 8);
    dim3 grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
    const float dx = 10.f, dt = 0.5f * dx / 2500.f / sqrtf(2.f);
    for (int it = 0; it < nt; ++it) {
        float t = it * dt - 0.1f;
        float a = 3.14159f * 15.f * t;
        wave_step<<<grid, block>>>(d_prev, d_cur, d_next, d_vel, nx, ny, dt * dt / (dx * dx));
        add_source<<<1, 32>>>(d_next, nx, nx / 2, ny / 4, (1.f - 2.f * a * a) * expf(-a * a));
        CHECK(cudaGetLastError());
        std::swap(d_prev, d_cur);
        std::swap(d_cur, d_next);
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<float> out((size_t)nx * ny);
    CHECK(cudaMemcpy(out.data(), d_cur, bytes, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (float v : out) sum += v * v;
    printf("energy %g\n", sum);
    cudaFree(d_prev);
    cudaFree(d_cur);
    cudaFree(d_next);
    cudaFree(d_vel);
}
