// args: 16384 20
#include "nbody_class_header.cuh"
namespace nbody {
__global__ void accumulate(const Body *__restrict__ bodies, float3 *forces, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 f = make_float3(0, 0, 0);
    for (int j = 0; j < n; ++j) {
        float dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
        float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
        float s = bodies[j].mass * r * r * r;
        f.x += s * dx;
        f.y += s * dy;
        f.z += s * dz;
    }
    forces[i] = f;
}
__global__ void integrate(Body *bodies, const float3 *forces, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bodies[i].vx += forces[i].x * dt;
    bodies[i].vy += forces[i].y * dt;
    bodies[i].vz += forces[i].z * dt;
    bodies[i].x += bodies[i].vx * dt;
    bodies[i].y += bodies[i].vy * dt;
    bodies[i].z += bodies[i].vz * dt;
}
Simulation::Simulation(int count) : count_(count)
{
    CUDA_CHECK(cudaMalloc(&bodies_, count_ * sizeof(Body)));
    CUDA_CHECK(cudaMalloc((void **)&forces_, count_ * sizeof(float3)));
    CUDA_CHECK(cudaMemset(bodies_, 0, count_ * sizeof(Body)));
}
Simulation::~Simulation()
{
    cudaFree(bodies_);
    cudaFree(forces_);
}
void Simulation::step(float dt)
{
    const int blocks = (count_ + threads_ - 1) / threads_;
    accumulate<<<blocks, threads_>>>(bodies_, forces_, count_);
    integrate<<<blocks, threads_>>>(bodies_, forces_, count_, dt);
    CUDA_CHECK(cudaGetLastError());
}
void Simulation::run(int steps, float dt)
{
    for (int s = 0; s < steps; ++s) step(dt);
}
}
int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s bodies steps\n", argv[0]);
        return 1;
    }
    nbody::Simulation simulation(atoi(argv[1]));
    simulation.run(atoi(argv[2]), 0.01f);
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%d bodies\n", simulation.size());
    return 0;
}
