// Loads in functions that are called, not inlined, one of them recursive: as many requests and sectors as if they stood in the kernel.
struct item { float x, y, z; };
__device__ __noinline__ float product(const item *p, int i) { return p[i].x * p[i].y; }
__device__ __noinline__ float deeper(const item *p, int i, int depth)
{
    if (depth == 0)
        return p[i].z;
    float own = p[i].z;
    return own * deeper(p, i + 32, depth - 1) + 1;
}
__global__ void called(const item *p, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = product(p, i);
}
__global__ void recursive(const item *p, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = deeper(p, i, n);
}
int main()
{
    const int n = 1 << 16;
    item *p;
    float *out;
    cudaMalloc(&p, (n + 128) * sizeof(item));
    cudaMalloc(&out, n * sizeof(float));
    called<<<n / 256, 256>>>(p, out, n);
    recursive<<<n / 256, 256>>>(p, out, 3);
}
