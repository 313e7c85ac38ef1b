// Where an array ends comes as a pointer of its own: in every layout all threads lie before it, and the last one has nothing behind it.
struct pair { float x, y; };
__global__ void scale(const pair *first, const pair *last, pair *out)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (first + i < last) {
        out[i].x = first[i].x * 2;
        out[i].y = first[i].y * 3;
    }
}
int main()
{
    const int n = 1 << 20;
    pair *a, *b;
    cudaMalloc(&a, n * sizeof(*a));
    cudaMalloc(&b, n * sizeof(*b));
    scale<<<n / 256, 256>>>(a, a + n, b);
}
