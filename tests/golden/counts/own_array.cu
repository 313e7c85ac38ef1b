// What a thread puts into its own array, and what a struct passed by value holds, decides how often it loads: no thread steps more than twice.
struct ends { int a, b, c; };
__global__ void walked(float *out, const float *in, ends e)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, part = 0;
    const int *at = &e.a;
    while (i >= *at) {
        out[i] = in[i + 64 * part];
        part++;
        at++;
    }
}
__global__ void filled(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, trips[5];
    float sum = 0;
    for (int k = 0; k < 5; k++)
        trips[k] = k * n % 5;
    #pragma unroll 1
    for (int k = 0; k < trips[(i / 32) % 5]; k++)
        sum += in[i + 64 * k];
    out[i] = sum;
}
int main()
{
    const int n = 12288;
    float *in, *out;
    ends e = {4096, 8192, 1 << 30};
    cudaMalloc(&in, 2 * n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    walked<<<n / 256, 256>>>(out, in, e);
    filled<<<n / 256, 256>>>(out, in, 2);
}
