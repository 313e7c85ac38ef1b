// args: 1000000
#include <cstdio>
#include <cstdlib>
struct Order { int price, quantity, side; };
struct Level { int bids, asks; };
__global__ void book(const Order *orders, Level *levels, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (orders[i].side) atomicAdd(&levels[orders[i].price].asks, orders[i].quantity);
    else atomicAdd(&levels[orders[i].price].bids, orders[i].quantity);
}
int main(int argc, char **argv)
{
    int n = 0;
    if (argc < 2 || sscanf(argv[1], "%d", &n) != 1) return 1;
    Order *orders;
    Level *levels;
    cudaMalloc(&orders, n * sizeof(Order));
    cudaMalloc(&levels, 1024 * sizeof(Level));
    book<<<(n - 1) / 256 + 1, 256>>>(orders, levels, n);
    cudaDeviceSynchronize();
}
