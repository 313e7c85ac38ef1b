// args: -- 100000
// Two instances of a template and of its record, made in an expression that is streamed: each is launched, and each is ranked.
#include <cstdlib>
#include <iostream>
template <typename T> struct V { T x, y, z; };
template <typename T> __global__ void advance(V<T> *p, int n, T dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x += dt * p[i].y;
}
template <typename T> T run(int n)
{
    V<T> *p;
    cudaMalloc(&p, n * sizeof(V<T>));
    advance<T><<<(n + 255) / 256, 256>>>(p, n, T(0.1));
    return T(0);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::cout << run<float>(n) << " " << run<double>(n) << "\n";
}
