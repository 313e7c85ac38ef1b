// Two members of three or four are stored, so that what lacks of each sector is read: of records as they are written, too, which keep their layout as two kinds of them share a text.
struct three { float a, b, c; };
struct four { float a, b, c, d; };
template <typename R> __global__ void fill(R *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        q[i].a = 0.5f;
        q[i].c = 0.75f;
    }
}
__global__ void whole(float *q, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) q[i] = 0.5f;
}
int main()
{
    const int n = 1 << 23;
    void *q;
    cudaMalloc(&q, n * sizeof(four));
    fill<<<n / 256, 256>>>((three *)q, n);
    fill<<<n / 256, 256>>>((four *)q, n);
    whole<<<n / 256, 256>>>((float *)q, n);
}
