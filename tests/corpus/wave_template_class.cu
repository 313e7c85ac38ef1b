// args: 1024 300 double
#include <iostream>
#include <string>
#include <cstdlib>
template <typename Real> struct Wave { Real now, before, speed; };
template <typename Real> __global__ void leapfrog(Wave<Real> *g, Real *next, int n, Real c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    int i = y * n + x;
    Real lap = g[i - 1].now + g[i + 1].now + g[i - n].now + g[i + n].now - 4 * g[i].now;
    next[i] = 2 * g[i].now - g[i].before + c * g[i].speed * lap;
}
template <typename Real> __global__ void shift(Wave<Real> *g, const Real *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n * n) { g[i].before = g[i].now; g[i].now = next[i]; }
}
template <typename Real> class Solver {
    int n;
    Wave<Real> *grid = nullptr;
    Real *next = nullptr;
public:
    explicit Solver(int size) : n(size)
    {
        cudaMalloc(&grid, sizeof(Wave<Real>) * n * n);
        cudaMalloc(&next, sizeof(Real) * n * n);
    }
    ~Solver() { cudaFree(grid); cudaFree(next); }
    void run(int steps)
    {
        dim3 t(32, 8);
        dim3 b((n + t.x - 1) / t.x, (n + t.y - 1) / t.y);
        for (int s = 0; s < steps; ++s) {
            leapfrog<Real><<<b, t>>>(grid, next, n, Real(0.25));
            shift<Real><<<(n * n + 255) / 256, 256>>>(grid, next, n);
        }
        cudaDeviceSynchronize();
    }
};
int main(int argc, char *argv[])
{
    int n = 512, steps = 100;
    std::string precision = "float";
    if (argc > 1) n = std::atoi(argv[1]);
    if (argc > 2) steps = std::atoi(argv[2]);
    if (argc > 3) precision = argv[3];
    if (precision == "double") { Solver<double> s(n); s.run(steps); }
    else { Solver<float> s(n); s.run(steps); }
    std::cout << "done\n";
}
