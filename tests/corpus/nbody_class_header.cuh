#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#define CUDA_CHECK(call)                                                                  \
    do {                                                                                  \
        cudaError_t status_ = (call);                                                     \
        if (status_ != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            exit(EXIT_FAILURE);                                                           \
        }                                                                                 \
    } while (0)
namespace nbody {
struct Body {
    float x, y, z, vx, vy, vz, mass;
};
class Simulation {
public:
    explicit Simulation(int count);
    ~Simulation();
    void step(float dt);
    void run(int steps, float dt);
    int size() const { return count_; }

private:
    int count_;
    int threads_ = 256;
    Body *bodies_ = nullptr;
    float3 *forces_ = nullptr;
};
}
