// args: 32768 200
// Molecular dynamics with cell lists.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
#include "md_cell_list.h"

#define CUDA_CALL(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("CUDA error %s at %s:%d\n", cudaGetErrorString(e), __FILE__, __LINE__); exit(1); } } while (0)

__global__ void assign_cells(const Atom *atoms, int *cell_of, int *count, SimBox box, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = cell_index(atoms[i].pos, box);
    cell_of[i] = c;
    atomicAdd(&count[c], 1);
}

__global__ void compute_forces(Atom *atoms, const int *start, const int *list, SimBox box, int n, float cutoff2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Vec3 pi = atoms[i].pos;
    Vec3 f = {0, 0, 0};
    int c = cell_index(pi, box);
    for (int s = start[c]; s < start[c + 1]; ++s) {
        int j = list[s];
        if (j == i) continue;
        Vec3 d = sub(pi, atoms[j].pos);
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (r2 < cutoff2) {
            float inv = 1.0f / r2, inv6 = inv * inv * inv;
            float s6 = 24.0f * inv6 * (2.0f * inv6 - 1.0f) * inv;
            f.x += s6 * d.x; f.y += s6 * d.y; f.z += s6 * d.z;
        }
    }
    atoms[i].force = f;
}

__global__ void integrate(Atom *atoms, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atoms[i].vel.x += dt * atoms[i].force.x;
        atoms[i].vel.y += dt * atoms[i].force.y;
        atoms[i].vel.z += dt * atoms[i].force.z;
        atoms[i].pos.x += dt * atoms[i].vel.x;
        atoms[i].pos.y += dt * atoms[i].vel.y;
        atoms[i].pos.z += dt * atoms[i].vel.z;
    }
}

class Simulation {
public:
    Simulation(int n, float density) : n_(n)
    {
        float edge = std::cbrt(n / density);
        box_.edge = edge;
        box_.cells = 16;
        box_.inv = box_.cells / edge;
        int cells = box_.cells * box_.cells * box_.cells;
        CUDA_CALL(cudaMalloc(&atoms_, n_ * sizeof(Atom)));
        CUDA_CALL(cudaMalloc(&cell_of_, n_ * sizeof(int)));
        CUDA_CALL(cudaMalloc(&count_, cells * sizeof(int)));
        CUDA_CALL(cudaMalloc(&start_, (cells + 1) * sizeof(int)));
        CUDA_CALL(cudaMalloc(&list_, n_ * sizeof(int)));
        std::vector<Atom> host(n_);
        for (int i = 0; i < n_; ++i) host[i].pos = {float(rand()) / RAND_MAX * edge, float(rand()) / RAND_MAX * edge, float(rand()) / RAND_MAX * edge};
        CUDA_CALL(cudaMemcpy(atoms_, host.data(), n_ * sizeof(Atom), cudaMemcpyHostToDevice));
    }
    ~Simulation() { cudaFree(atoms_); cudaFree(cell_of_); cudaFree(count_); cudaFree(start_); cudaFree(list_); }
    void step(float dt)
    {
        const int threads = 128, blocks = (n_ + threads - 1) / threads;
        assign_cells<<<blocks, threads>>>(atoms_, cell_of_, count_, box_, n_);
        compute_forces<<<blocks, threads>>>(atoms_, start_, list_, box_, n_, 6.25f);
        integrate<<<blocks, threads>>>(atoms_, n_, dt);
        CUDA_CALL(cudaGetLastError());
    }
private:
    int n_;
    SimBox box_;
    Atom *atoms_;
    int *cell_of_, *count_, *start_, *list_;
};

int main(int argc, char **argv)
{
    if (argc != 3) { fprintf(stderr, "usage: %s atoms steps\n", argv[0]); return 1; }
    Simulation sim(atoi(argv[1]), 0.8f);
    int steps = atoi(argv[2]);
    for (int s = 0; s < steps; ++s) sim.step(0.002f);
    CUDA_CALL(cudaDeviceSynchronize());
    return 0;
}
