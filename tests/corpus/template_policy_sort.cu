// args: 2000000 32
#include <cstdio>
#include <cstdlib>
template <int BITS> struct Digits { static constexpr int count = 1 << BITS; static constexpr unsigned mask = count - 1; };
struct KeyValue { unsigned key; float value; };
template <class Policy> __global__ void histogram(const KeyValue *in, unsigned *hist, int n, int shift)
{
    __shared__ unsigned local[Policy::count];
    for (int d = threadIdx.x; d < Policy::count; d += blockDim.x) local[d] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&local[(in[i].key >> shift) & Policy::mask], 1u);
    __syncthreads();
    for (int d = threadIdx.x; d < Policy::count; d += blockDim.x) hist[d * gridDim.x + blockIdx.x] = local[d];
}
template <class Policy> __global__ void scatter(const KeyValue *in, KeyValue *out, const unsigned *offset, int n, int shift)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned d = (in[i].key >> shift) & Policy::mask;
    out[offset[d * gridDim.x + blockIdx.x] + threadIdx.x] = in[i];
}
template <int BITS> void radix_sort(KeyValue *a, KeyValue *b, unsigned *hist, int n, int total_bits)
{
    using P = Digits<BITS>;
    const int grid = (n + 255) / 256;
    for (int shift = 0; shift < total_bits; shift += BITS) {
        histogram<P><<<grid, 256>>>(a, hist, n, shift);
        scatter<P><<<grid, 256>>>(a, b, hist, n, shift);
        KeyValue *t = a; a = b; b = t;
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, bits = argc > 2 ? atoi(argv[2]) : 32;
    KeyValue *a, *b; unsigned *hist;
    cudaMalloc(&a, n * sizeof(KeyValue));
    cudaMalloc(&b, n * sizeof(KeyValue));
    cudaMalloc(&hist, 256 * ((n + 255) / 256) * sizeof(unsigned));
    radix_sort<8>(a, b, hist, n, bits);
    cudaDeviceSynchronize();
}
