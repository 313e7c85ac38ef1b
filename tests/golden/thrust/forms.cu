#include <cstdlib>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct Particle {
    float x, y, z;
    float vx, vy, vz;
};

struct Drift {
    float dt;
    __host__ __device__ void operator()(Particle &p) const
    {
        p.x += dt * p.vx;
        p.y += dt * p.vy;
        p.z += dt * p.vz;
    }
};

struct System {
    thrust::device_vector<Particle> particles;
    thrust::device_vector<float> speed;
};

static void kick(System &system, float g, float dt)
{
    thrust::for_each(system.particles.begin(), system.particles.end(),
                     [=] __device__(Particle & p) {
                         if (p.z < 0)
                             return;
                         p.vz -= g * dt;
                     });
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
    System system;
    system.particles.resize(n);
    system.speed.resize(n);
    for (int step = 0; step < 10; step++) {
        kick(system, 9.81f, 0.01f);
        thrust::for_each(system.particles.begin(), system.particles.end(), Drift{0.01f});
    }
    thrust::transform(system.particles.begin(), system.particles.end(), system.speed.begin(),
                      [] __device__(const Particle &p) -> float {
                          float s = p.vx * p.vx + p.vy * p.vy + p.vz * p.vz;
                          if (s < 0) { return 0; }
                          return sqrtf(s);
                      });
    Particle *raw = thrust::raw_pointer_cast(system.particles.data());
    thrust::for_each_n(thrust::device, thrust::counting_iterator<int>(0), n / 2, [raw] __device__(int i) { raw[2 * i].x = raw[2 * i + 1].x; });
    auto first = thrust::make_counting_iterator(1);
    auto body = [=] __device__(int i) { raw[i].y = raw[i - 1].z; };
    thrust::for_each(thrust::cuda::par, first, first + (n - 1), body);
    float *plain;
    cudaMalloc(&plain, n * sizeof(float));
    thrust::transform(thrust::device, plain, plain + n, plain, [scale = 2.0f] __device__(float v) { return scale * v; });
    thrust::sort(system.speed.begin(), system.speed.end());
    cudaFree(plain);
}
