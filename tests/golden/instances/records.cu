// Instances of a kernel for two instances of a record, and for numbers; launched in another order than they come to the compiler.
template <typename T> struct V { T x, y, z; };
template <typename T> __global__ void move(V<T> *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x += p[i].y;
}
template <int N, typename R> __global__ void sum(const R *p, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / N)
        for (int j = 0; j < N; j++) out[i] += p[i * N + j].z;
}
int main()
{
    const int n = 1 << 16;
    V<float> *f;
    V<double> *d;
    float *out;
    cudaMalloc(&f, n * sizeof *f);
    cudaMalloc(&d, n * sizeof *d);
    cudaMalloc(&out, n * sizeof *out);
    move<<<n / 256, 256>>>(d, n);
    move<<<n / 256, 256>>>(f, n);
    sum<8><<<n / 256, 256>>>(f, out, n);
    sum<2><<<n / 256, 256>>>(d, out, n);
    sum<2><<<n / 256, 256>>>(f, out, n);
}
