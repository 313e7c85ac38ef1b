// args: 300000 5
#include <cstdio>
#include <cstdlib>
#include <memory>
struct State { float position, velocity, acceleration; };
__global__ void verlet(State *s, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s[i].position += dt * s[i].velocity + 0.5f * dt * dt * s[i].acceleration;
    s[i].velocity += dt * s[i].acceleration;
}
__global__ void euler(State *s, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) s[i].position += dt * s[i].velocity;
}
class Solver {
public:
    Solver(int n) : n(n) { cudaMalloc(&states, n * sizeof(State)); }
    virtual ~Solver() { cudaFree(states); }
    virtual void advance(float dt) = 0;

protected:
    int n;
    State *states;
    int grid() const { return (n + 127) / 128; }
};
class Verlet : public Solver {
public:
    using Solver::Solver;
    void advance(float dt) override { verlet<<<grid(), 128>>>(states, n, dt); }
};
class Euler : public Solver {
public:
    using Solver::Solver;
    void advance(float dt) override { euler<<<grid(), 128>>>(states, n, dt); }
};
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    std::unique_ptr<Solver> solver = std::make_unique<Verlet>(n);
    for (int i = 0; i < steps; i++) solver->advance(0.01f);
    Euler other(n);
    other.advance(0.1f);
    cudaDeviceSynchronize();
}
