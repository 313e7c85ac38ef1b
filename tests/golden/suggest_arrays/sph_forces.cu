// args: 16384
// What is read of neighbours, and what is written for each particle.
#include <cstdlib>
#include <vector>
__global__ void forces(const float *x, const float *y, const float *z, const float *vx, const float *vy, const float *vz,
                       const int *first, const int *neighbour, float *ax, float *ay, float *az, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float fx = 0, fy = 0, fz = 0;
    for (int k = first[i]; k < first[i + 1]; k++) {
        int j = neighbour[k];
        float dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], w = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        fx += w * (vx[j] - vx[i]);
        fy += w * (vy[j] - vy[i]);
        fz += w * (vz[j] - vz[i]);
    }
    ax[i] = fx; ay[i] = fy; az[i] = fz;
}
static float *zeros(int n)
{
    float *p;
    cudaMalloc(&p, n * sizeof(float));
    cudaMemset(p, 0, n * sizeof(float));
    return p;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), *first, *neighbour;
    float *x = zeros(n), *y = zeros(n), *z = zeros(n), *vx = zeros(n), *vy = zeros(n), *vz = zeros(n);
    float *ax = zeros(n), *ay = zeros(n), *az = zeros(n);
    std::vector<int> f(n + 1), near(n * 16);
    for (int i = 0; i <= n; i++) f[i] = 16 * i;
    for (int i = 0; i < n * 16; i++) near[i] = (i * 7) % n;
    cudaMalloc(&first, (n + 1) * 4);
    cudaMalloc(&neighbour, n * 16 * 4);
    cudaMemcpy(first, f.data(), (n + 1) * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(neighbour, near.data(), n * 16 * 4, cudaMemcpyHostToDevice);
    forces<<<(n + 127) / 128, 128>>>(x, y, z, vx, vy, vz, first, neighbour, ax, ay, az, n);
}
