// args: 128
// Magnetic fields are updated at each place, electric ones read around it, and the other way round: each three are a record.
#include <cstdlib>
__global__ void magnetic(float *hx, float *hy, float *hz, const float *ex, const float *ey, const float *ez, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    hx[i] += ey[i + n * n] - ey[i] - ez[i + n] + ez[i];
    hy[i] += ez[i + 1] - ez[i] - ex[i + n * n] + ex[i];
    hz[i] += ex[i + n] - ex[i] - ey[i + 1] + ey[i];
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), cells = n * n * n;
    float *field[6];
    for (int m = 0; m < 6; m++) cudaMalloc(&field[m], cells * 4);
    for (int t = 0; t < 100; t++)
        magnetic<<<dim3(n / 32, n / 8, n), dim3(32, 8)>>>(field[0], field[1], field[2], field[3], field[4], field[5], n);
}
