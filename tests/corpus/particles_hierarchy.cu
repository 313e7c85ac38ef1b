// args: springs 200000 50
// A small hierarchy of integrators chosen by name.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>
struct Body { float3 p, v; float m, q; };
__global__ void spring_force(Body *b, int n, float k, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 v = b[i].v;
    v.x -= k * b[i].p.x / b[i].m * dt;
    v.y -= k * b[i].p.y / b[i].m * dt;
    v.z -= k * b[i].p.z / b[i].m * dt;
    b[i].v = v;
}
__global__ void drift(Body *b, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    b[i].p.x += b[i].v.x * dt;
    b[i].p.y += b[i].v.y * dt;
    b[i].p.z += b[i].v.z * dt;
}
__global__ void field_force(Body *b, int n, float3 e, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = b[i].q / b[i].m * dt;
    b[i].v.x += s * e.x;
    b[i].v.y += s * e.y;
    b[i].v.z += s * e.z;
}
class System {
public:
    explicit System(int n) : n_(n) { cudaMalloc(&bodies_, n * sizeof(Body)); }
    virtual ~System() { cudaFree(bodies_); }
    void step(float dt) { kick(dt); drift<<<blocks(), kThreads>>>(bodies_, n_, dt); }
    virtual const char *name() const { return "none"; }
protected:
    virtual void kick(float dt) = 0;
    static constexpr int kThreads = 192;
    int blocks() const { return (n_ + kThreads - 1) / kThreads; }
    int n_;
    Body *bodies_ = nullptr;
};
class Springs : public System {
public:
    Springs(int n, float k) : System(n), k_(k) {}
    const char *name() const override { return "springs"; }
protected:
    void kick(float dt) override { spring_force<<<blocks(), kThreads>>>(bodies_, n_, k_, dt); }
private:
    float k_;
};
class Charges : public System {
public:
    using System::System;
protected:
    void kick(float dt) override { field_force<<<blocks(), kThreads>>>(bodies_, n_, make_float3(0, 0, 1), dt); }
};
static std::unique_ptr<System> create(const std::string &name, int n)
{
    if (name == "springs") return std::unique_ptr<System>(new Springs(n, 2.0f));
    if (name == "charges") return std::unique_ptr<System>(new Charges(n));
    return nullptr;
}
int main(int argc, char **argv)
{
    std::string kind = argc > 1 ? argv[1] : "charges";
    int n = argc > 2 ? atoi(argv[2]) : 1000, steps = argc > 3 ? atoi(argv[3]) : 10;
    auto system = create(kind, n);
    if (!system) { fprintf(stderr, "no such system\n"); return 1; }
    for (int i = 0; i < steps; i++) system->step(1e-3f);
    cudaDeviceSynchronize();
    printf("%s done\n", system->name());
}
