// args: --model full
// Both kernels want to know n and the grid: each is listed once, and the index array comes last, as it matters least.
__global__ void scale(float *a, float f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= f;
}
__global__ void gather(const float *a, const int *from, float *out, int n, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i >= n) return;
    for (int r = 0; r < rounds; r++) sum += a[from[i] ^ r];
    out[i] = sum;
}
int unknown();
int main()
{
    float *a, *out;
    int *from, n = unknown();
    cudaMalloc(&a, n * 4); cudaMalloc(&out, n * 4); cudaMalloc(&from, n * 4);
    scale<<<(n + 255) / 256, 256>>>(a, 2, n);
    gather<<<(n + 255) / 256, 256>>>(a, from, out, n, unknown());
}
