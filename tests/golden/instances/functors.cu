// Two instances of one kernel that differ in the functor alone: each is predicted from its own code, in every layout.
struct Particle { float px, py, pz, vx, vy, vz, mass, charge; };
struct Kick {
    float dt;
    __device__ void operator()(Particle &p) const { p.vx += p.charge / p.mass * dt; }
};
struct Integrate {
    float dt;
    __device__ void operator()(Particle &p) const
    {
        p.px += dt * p.vx;
        p.py += dt * p.vy;
        p.pz += dt * p.vz;
    }
};
template <typename R, class F> __global__ void each(R *r, int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(r[i]);
}
int main()
{
    const int n = 1 << 16;
    Particle *d;
    cudaMalloc(&d, n * sizeof(Particle));
    each<<<n / 256, 256>>>(d, n, Kick{0.1f});
    each<<<n / 256, 256>>>(d, n, Integrate{0.1f});
}
