// args: 262144
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/sequence.h>
#include <cstdlib>
struct Particle { float x, y, z, m; };
__global__ void hash(const Particle *particles, unsigned *keys, int n, float cell)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int cx = (int)(particles[i].x / cell), cy = (int)(particles[i].y / cell), cz = (int)(particles[i].z / cell);
    keys[i] = (cx * 73856093) ^ (cy * 19349663) ^ (cz * 83492791);
}
int main(int argc, char **argv)
{
    const int n = atoi(argv[1]);
    thrust::device_vector<Particle> particles(n);
    thrust::device_vector<unsigned> keys(n), order(n);
    thrust::sequence(order.begin(), order.end());
    int threads = 256, blocks = (n + threads - 1) / threads;
    hash<<<blocks, threads>>>(thrust::raw_pointer_cast(particles.data()), thrust::raw_pointer_cast(&keys[0]), n, 0.5f);
    thrust::sort_by_key(keys.begin(), keys.end(), order.begin());
    cudaDeviceSynchronize();
}
