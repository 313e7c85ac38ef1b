// args: -- 200000
// A loop too long to be run lets two vectors grow, one by two elements in each iteration, and a third on a branch that nobody knows.
#include <cstdlib>
#include <vector>
struct P { float x, y; };
__global__ void k(P *p, const float *w, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x += w[i];
}
int main(int argc, char **argv)
{
    const int count = atoi(argv[1]);
    std::vector<P> p(5);
    std::vector<float> w, some;
    for (int i = 0; i < count; ++i) {
        p.push_back({1, 2});
        w.push_back(i);
        w.push_back(-i);
        if (rand() % 2) some.push_back(i);
    }
    P *dp;
    float *dw;
    cudaMalloc(&dp, p.size() * sizeof(P));
    cudaMalloc(&dw, w.size() * sizeof(float));
    k<<<(p.size() + 255) / 256, 256>>>(dp, dw, p.size());
    k<<<(w.size() + 255) / 256, 256>>>(dp, dw, w.size());
    k<<<(some.size() + 255) / 256, 256>>>(dp, dw, some.size());
}
