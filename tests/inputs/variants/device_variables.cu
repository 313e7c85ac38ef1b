using namespace std;
__constant__ float c[4];
__device__ float gain = 2;
struct P { float x, y, z; __host__ __device__ float len() const { return x + y + z; } };
__device__ float f(float a) { return a; }
__device__ double f(double a) { return a; }
static __global__ void k(P *p, int n) { extern __shared__ float s[]; int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = c[0]; if (i < n) p[i].x += f(p[i].y) * s[threadIdx.x] * gain + p[i].len(); }
int main() { float h[4] = {1}; cudaMemcpyToSymbol(c, h, 16); P *p; cudaMalloc(&p, 1024 * sizeof(P)); k<<<4, 256, 1024>>>(p, 1024); }
