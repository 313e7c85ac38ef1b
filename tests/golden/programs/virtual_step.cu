// args: -- 100000 5 euler
// The method that launches is virtual, of an object that an owning pointer to the base holds: which one it is follows from the command line.
#include <cstdlib>
#include <memory>
#include <string>
struct Body { float x, y, z, m; };
__global__ void drift(Body *b, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { b[i].x += dt * b[i].y; b[i].z += dt * b[i].m; }
}
class Simulation {
protected:
    int n_;
    Body *bodies_ = nullptr;
public:
    explicit Simulation(int n) : n_(n) { cudaMalloc(&bodies_, n * sizeof(Body)); }
    virtual ~Simulation() { cudaFree(bodies_); }
    virtual void step() = 0;
};
class Leapfrog : public Simulation {
public:
    using Simulation::Simulation;
    void step() override
    {
        drift<<<(n_ + 255) / 256, 256>>>(bodies_, n_, 0.5f);
        drift<<<(n_ + 255) / 256, 256>>>(bodies_, n_, 0.5f);
    }
};
class Euler : public Simulation {
public:
    using Simulation::Simulation;
    void step() override { drift<<<(n_ + 127) / 128, 128>>>(bodies_, n_, 1); }
};
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    std::string which = argc > 3 ? argv[3] : "leapfrog";
    std::unique_ptr<Simulation> simulation;
    if (which == "euler") simulation.reset(new Euler(n));
    else simulation.reset(new Leapfrog(n));
    for (int s = 0; s < steps; ++s) simulation->step();
}
