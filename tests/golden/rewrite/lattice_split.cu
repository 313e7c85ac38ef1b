// Member arrays indexed by numbers and by counters: in soa each of their scalars has an array.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct Cell {
    float f[9];
    float rho;
    unsigned char wall;
};

__constant__ float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

__global__ void collide(Cell *cells, int n, float omega)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || cells[i].wall) return;
    float rho = 0;
    for (int k = 0; k < 9; k++) rho += cells[i].f[k];
    cells[i].rho = rho;
    for (int k = 0; k < 9; k++) cells[i].f[k] += omega * (rho * weight[k] - cells[i].f[k]);
}

__global__ void stream_x(const Cell *in, Cell *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Cell &c = in[i];
    out[(i + 1) % n].f[1] = c.f[1];
    out[(i + n - 1) % n].f[3] = c.f[3];
    for (int k = 4; k < 9; k++) out[i].f[k] = in[i].f[k];
    out[i].f[0] = c.f[0];
    out[i].f[2] = c.f[2];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    Cell *host = (Cell *)malloc(n * sizeof(Cell)), *cells, *next;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 9; k++) host[i].f[k] = 0.1f * k + i % 7;
        host[i].wall = i % 5 == 0;
        host[i].rho = 0;
    }
    cudaMalloc(&cells, n * sizeof(Cell));
    cudaMalloc(&next, n * sizeof(Cell));
    cudaMemcpy(cells, host, n * sizeof(Cell), cudaMemcpyHostToDevice);
    cudaMemcpy(next, cells, n * sizeof(Cell), cudaMemcpyDeviceToDevice);
    for (int s = 0; s < 20; s++) {
        collide<<<(n + 127) / 128, 128>>>(cells, n, 0.6f);
        stream_x<<<(n + 127) / 128, 128>>>(cells, next, n);
        Cell *t = cells; cells = next; next = t;
    }
    cudaMemcpy(host, cells, n * sizeof(Cell), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; i++) for (int k = 0; k < 9; k++) sum += host[i].f[k] * (k + 1);
    printf("%.6e\n", sum);
    cudaFree(cells);
    cudaFree(next);
    free(host);
    return 0;
}
