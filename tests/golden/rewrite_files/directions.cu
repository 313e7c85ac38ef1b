// One file copies records to the device, another one copies them back: each has the function that it calls.
#include "item.h"
#include <cstdlib>
int main() {
    int n = 4096; item *h = (item *)calloc(n, sizeof(item)), *d;
    cudaMalloc(&d, n * sizeof(item));
    cudaMemcpy(d, h, n * sizeof(item), cudaMemcpyHostToDevice);
    step<<<n / 256, 256>>>(d);
    finish(h, d, n);
    free(h);
}
