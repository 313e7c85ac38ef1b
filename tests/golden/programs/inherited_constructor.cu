// args: -- 100000
// The class that launches has its constructor from its base, and a member of its own that begins with a value; on the stack and by new.
#include <cstdlib>
struct Body { float x, y, z, m; };
__global__ void drift(Body *b, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { b[i].x += dt * b[i].y; b[i].z += dt * b[i].m; }
}
class Base {
protected:
    int n_;
    float dt_;
    Body *d_ = nullptr;
public:
    Base(int n, float dt = 0.5f) : n_(n), dt_(dt) { cudaMalloc(&d_, n * sizeof(Body)); }
};
class Derived : public Base {
    int block_ = 256;
public:
    using Base::Base;
    void step() { drift<<<(n_ + block_ - 1) / block_, block_>>>(d_, n_, dt_); }
};
template <typename T> class Scaled : public Derived {
    T by = 4;
public:
    using Derived::Derived;
};
class Explicit : public Base {
    int block_ = 128;
public:
    Explicit(int n) : Base(n, 0.1f) {}
    void step() { drift<<<(n_ + block_ - 1) / block_, block_>>>(d_, n_, dt_); }
};
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    Derived d(n, 0.5f);
    d.step();
    Derived *e = new Derived(2 * n);
    e->step();
    Explicit f(4 * n);
    f.step();
}
