// args: 1048576
#include <iostream>
#include <cstdlib>
struct Order { unsigned long long key; unsigned index; float price; };
__global__ void bitonic_step(Order *data, int j, int k)
{
    unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    unsigned partner = i ^ j;
    if (partner > i) {
        bool up = (i & k) == 0;
        if ((data[i].key > data[partner].key) == up) {
            Order t = data[i];
            data[i] = data[partner];
            data[partner] = t;
        }
    }
}
static void sort(Order *d, int n)
{
    const int threads = 512;
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1)
            bitonic_step<<<n / threads, threads>>>(d, j, k);
}
int main(int argc, char *argv[])
{
    if (argc < 2) { std::cerr << "give a power of two\n"; std::exit(1); }
    int n = std::atoi(argv[1]);
    if (n & (n - 1)) { std::cerr << "not a power of two\n"; return 1; }
    Order *d = nullptr;
    cudaMalloc(&d, n * sizeof(Order));
    sort(d, n);
    cudaDeviceSynchronize();
    cudaFree(d);
}
