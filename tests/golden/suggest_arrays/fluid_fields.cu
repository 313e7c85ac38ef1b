// args: 1024
// Fields that swap themselves in one kernel are no members of a record in another one.
#include <cstdlib>
#include <utility>
struct Field {
    float *front, *back;
    void make(int n) { cudaMalloc(&front, n * 4); cudaMalloc(&back, n * 4); }
    void swap() { std::swap(front, back); }
};
__global__ void advect(float *out, const float *in, const float *u, const float *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] - u[i] * v[i];
}
__global__ void project(float *u, float *v, const float *pressure, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        u[i] -= pressure[i + 1] - pressure[i];
        v[i] -= pressure[i + 1] - pressure[i];
    }
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]) * atoi(argv[1]);
    Field U, V;
    float *pressure;
    U.make(n);
    V.make(n);
    cudaMalloc(&pressure, n * 4);
    for (int step = 0; step < 10; step++) {
        advect<<<n / 256, 256>>>(U.back, U.front, U.front, V.front, n);
        advect<<<n / 256, 256>>>(V.back, V.front, U.front, V.front, n);
        U.swap();
        V.swap();
        project<<<n / 256, 256>>>(U.front, V.front, pressure, n);
    }
}
