// args: 32768 10
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <random>
#include <vector>

using real = float;
constexpr real PI = 3.14159265f;
__constant__ real c_h, c_mass, c_rho0, c_stiff, c_visc;

__global__ void density_pressure(const real *x, const real *y, const real *z, real *rho, real *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real xi = x[i], yi = y[i], zi = z[i], sum = 0;
    real h2 = c_h * c_h;
    for (int j = 0; j < n; ++j) {
        real dx = xi - x[j], dy = yi - y[j], dz = zi - z[j];
        real r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < h2) {
            real d = h2 - r2;
            sum += d * d * d;
        }
    }
    rho[i] = sum * c_mass * 315.f / (64.f * PI * powf(c_h, 9.f));
    p[i] = c_stiff * (rho[i] - c_rho0);
}

__global__ void forces(const real *x, const real *y, const real *z, const real *vx, const real *vy, const real *vz,
                       const real *rho, const real *p, real *ax, real *ay, real *az, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    real fx = 0, fy = 0, fz = -9.81f * rho[i];
    for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        real dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
        real r = sqrtf(dx * dx + dy * dy + dz * dz) + 1e-6f;
        if (r < c_h) {
            real w = c_h - r;
            real pr = c_mass * (p[i] + p[j]) / (2.f * rho[j]) * w * w / r;
            real vi = c_visc * c_mass * w / rho[j];
            fx += dx * pr + (vx[j] - vx[i]) * vi;
            fy += dy * pr + (vy[j] - vy[i]) * vi;
            fz += dz * pr + (vz[j] - vz[i]) * vi;
        }
    }
    ax[i] = fx / rho[i];
    ay[i] = fy / rho[i];
    az[i] = fz / rho[i];
}

__global__ void integrate(real *x, real *y, real *z, real *vx, real *vy, real *vz, const real *ax, const real *ay,
                          const real *az, real dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        vx[i] += dt * ax[i];
        vy[i] += dt * ay[i];
        vz[i] += dt * az[i];
        x[i] += dt * vx[i];
        y[i] += dt * vy[i];
        z[i] += dt * vz[i];
        if (z[i] < 0) { z[i] = 0; vz[i] *= -0.5f; }
    }
}

static real *upload(const std::vector<real> &v)
{
    real *d;
    cudaMalloc(&d, v.size() * sizeof(real));
    cudaMemcpy(d, v.data(), v.size() * sizeof(real), cudaMemcpyHostToDevice);
    return d;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s particles steps\n", argv[0]);
        return 1;
    }
    const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
    std::mt19937 gen(42);
    std::uniform_real_distribution<real> u(0.f, 1.f);
    std::vector<real> hx(n), hy(n), hz(n), zero(n, 0.f);
    for (int i = 0; i < n; ++i) { hx[i] = u(gen); hy[i] = u(gen); hz[i] = u(gen); }
    real *x = upload(hx), *y = upload(hy), *z = upload(hz);
    real *vx = upload(zero), *vy = upload(zero), *vz = upload(zero);
    real *ax = upload(zero), *ay = upload(zero), *az = upload(zero);
    real *rho = upload(zero), *p = upload(zero);
    real h = 0.05f, mass = 1000.f / n, rho0 = 1000.f, stiff = 3.f, visc = 3.5f;
    cudaMemcpyToSymbol(c_h, &h, sizeof(h));
    cudaMemcpyToSymbol(c_mass, &mass, sizeof(mass));
    cudaMemcpyToSymbol(c_rho0, &rho0, sizeof(rho0));
    cudaMemcpyToSymbol(c_stiff, &stiff, sizeof(stiff));
    cudaMemcpyToSymbol(c_visc, &visc, sizeof(visc));
    int threads = 128, blocks = (n + threads - 1) / threads;
    for (int s = 0; s < steps; ++s) {
        density_pressure<<<blocks, threads>>>(x, y, z, rho, p, n);
        forces<<<blocks, threads>>>(x, y, z, vx, vy, vz, rho, p, ax, ay, az, n);
        integrate<<<blocks, threads>>>(x, y, z, vx, vy, vz, ax, ay, az, 1e-3f, n);
    }
    cudaError_t e = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
