// Three files copy records, one of them with a stream; the header has declarations alone, and no guard.
#include "point.h"
int main() {
    int n = 4096; point *h, *d;
    cudaMallocHost(&h, n * sizeof(point)); cudaMalloc(&d, n * sizeof(point));
    load(h, d, n);
    move<<<n / 256, 256>>>(d);
    store(h, d, n);
    cudaMemcpy(d, h, n * sizeof(point), cudaMemcpyHostToDevice);
    cudaFree(d); cudaFreeHost(h);
}
