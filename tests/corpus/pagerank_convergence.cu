// args: 500000 12
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>
struct Page { float rank, next; int out_degree, pad; };
__global__ void gather(Page *p, const int *row, const int *col, int n, float d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int e = row[i]; e < row[i + 1]; e++) s += p[col[e]].rank / p[col[e]].out_degree;
    p[i].next = (1 - d) / n + d * s;
}
__global__ void update(Page *p, float *diff, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(diff, fabsf(p[i].next - p[i].rank));
    p[i].rank = p[i].next;
}
struct Graph {
    int n, m;
    std::vector<int> row, col;
    Graph(int n, int degree) : n(n), m(n * degree), row(n + 1), col(m)
    {
        for (int i = 0; i <= n; i++) row[i] = i * degree;
        for (int e = 0; e < m; e++) col[e] = rand() % n;
    }
};
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10000, degree = argc > 2 ? atoi(argv[2]) : 8;
    Graph g(n, degree);
    Page *p; int *row, *col; float *diff;
    cudaMalloc(&p, g.n * sizeof(Page));
    cudaMalloc(&row, g.row.size() * sizeof(int));
    cudaMalloc(&col, g.col.size() * sizeof(int));
    cudaMalloc(&diff, sizeof(float));
    cudaMemcpy(row, g.row.data(), g.row.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(col, g.col.data(), g.col.size() * sizeof(int), cudaMemcpyHostToDevice);
    const int blocks = (g.n + 255) / 256;
    float h_diff;
    int iter = 0;
    do {
        cudaMemset(diff, 0, sizeof(float));
        gather<<<blocks, 256>>>(p, row, col, g.n, 0.85f);
        update<<<blocks, 256>>>(p, diff, g.n);
        cudaMemcpy(&h_diff, diff, sizeof(float), cudaMemcpyDeviceToHost);
    } while (h_diff > 1e-6f && ++iter < 100);
    printf("%d iterations\n", iter);
}
