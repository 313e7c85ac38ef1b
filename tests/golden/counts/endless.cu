// A loop that nothing is seen to end: times are lower bounds, and layouts are not ranked by them.
struct item { float x, y, z; };
__global__ void endless(item *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (;;)
            p[i].x += p[i].y;
}
int main()
{
    const int n = 1 << 16;
    item *p;
    cudaMalloc(&p, n * sizeof(item));
    endless<<<n / 256, 256>>>(p, n);
}
