// args: 100000 20000 2000000
#include <cstdio>
#include <cstdlib>
#define K 16
struct Rating { int user, item; float value; };
struct Factor { float f[K]; };
__global__ void sgd(const Rating *r, Factor *u, Factor *v, int n, float lr, float reg)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    int a = r[t].user, b = r[t].item;
    float dot = 0;
#pragma unroll
    for (int k = 0; k < K; k++) dot += u[a].f[k] * v[b].f[k];
    float e = r[t].value - dot;
#pragma unroll
    for (int k = 0; k < K; k++) {
        float x = u[a].f[k], y = v[b].f[k];
        u[a].f[k] = x + lr * (e * y - reg * x);
        v[b].f[k] = y + lr * (e * x - reg * y);
    }
}
int main(int argc, char **argv)
{
    int users = atoi(argv[1]), items = atoi(argv[2]), ratings = atoi(argv[3]);
    Rating *h = new Rating[ratings];
    for (int i = 0; i < ratings; i++) {
        h[i].user = rand() % users;
        h[i].item = rand() % items;
        h[i].value = rand() % 5 + 1;
    }
    Rating *r; Factor *u, *v;
    cudaMalloc(&r, ratings * sizeof(Rating));
    cudaMalloc(&u, users * sizeof(Factor));
    cudaMalloc(&v, items * sizeof(Factor));
    cudaMemcpy(r, h, ratings * sizeof(Rating), cudaMemcpyHostToDevice);
    for (int epoch = 0; epoch < 10; epoch++) sgd<<<(ratings + 255) / 256, 256>>>(r, u, v, ratings, 0.01f, 0.02f);
    cudaDeviceSynchronize();
    delete[] h;
}
