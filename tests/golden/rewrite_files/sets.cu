// Only a file behind the first sets records to zero, and copies them from one array to another.
#include "cell.h"
int main() {
    int n = 4096; cell *d, *e;
    cudaMalloc(&d, n * sizeof(cell)); cudaMalloc(&e, n * sizeof(cell));
    prepare(d, e, n);
    grow<<<n / 256, 256>>>(d, e);
    cudaDeviceSynchronize(); cudaFree(d); cudaFree(e);
}
