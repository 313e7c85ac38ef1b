#pragma once
struct FluidCell { float density, velocity, energy, pressure; };
struct Fluid { FluidCell *cells; int count; };
__global__ void pressure(Fluid fluid, float gamma)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fluid.count) return;
    FluidCell &c = fluid.cells[i];
    c.pressure = (gamma - 1) * (c.energy - 0.5f * c.density * c.velocity * c.velocity);
}
__global__ void momentum(Fluid fluid, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0 || i >= fluid.count - 1) return;
    fluid.cells[i].velocity -= dt * (fluid.cells[i + 1].pressure - fluid.cells[i - 1].pressure) / fluid.cells[i].density;
}
