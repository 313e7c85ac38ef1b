// args: 300000
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/for_each.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/functional.h>
#include <iostream>
#include <cstdlib>

struct Boid {
  float3 position;
  float3 velocity;
  float weight;
  int flock;
};

struct Steer {
  float dt;
  float3 goal;
  __host__ __device__ void operator()(Boid &b) const {
    float3 d = make_float3(goal.x - b.position.x, goal.y - b.position.y, goal.z - b.position.z);
    float inv = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 1e-6f);
    b.velocity.x += dt * d.x * inv;
    b.velocity.y += dt * d.y * inv;
    b.velocity.z += dt * d.z * inv;
    b.position.x += dt * b.velocity.x;
    b.position.y += dt * b.velocity.y;
    b.position.z += dt * b.velocity.z;
  }
};

struct Speed {
  __host__ __device__ float operator()(const Boid &b) const {
    return sqrtf(b.velocity.x * b.velocity.x + b.velocity.y * b.velocity.y + b.velocity.z * b.velocity.z);
  }
};

__global__ void count_flocks(const Boid *boids, int *counts, int n, int flocks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int f = boids[i].flock;
    if (f >= 0 && f < flocks) atomicAdd(&counts[f], 1);
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 10000, flocks = 8;
  thrust::host_vector<Boid> h(n);
  for (int i = 0; i < n; ++i) {
    h[i].position = make_float3(i % 100, i / 100 % 100, i / 10000);
    h[i].velocity = make_float3(0, 0, 0);
    h[i].weight = 1.f;
    h[i].flock = i % flocks;
  }
  thrust::device_vector<Boid> boids(h);
  thrust::device_vector<float> speed(n);
  thrust::device_vector<int> counts(flocks, 0);
  for (int step = 0; step < 50; ++step) thrust::for_each(boids.begin(), boids.end(), Steer{0.02f, make_float3(50.f, 50.f, 10.f)});
  thrust::transform(boids.begin(), boids.end(), speed.begin(), Speed());
  count_flocks<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(boids.data()), thrust::raw_pointer_cast(counts.data()), n, flocks);
  float top = thrust::reduce(speed.begin(), speed.end(), 0.f, thrust::maximum<float>());
  std::cout << "fastest " << top << ", first flock " << counts[0] << std::endl;
  return 0;
}
