// A prototype in a header that both files include, which has no guard.
#include "kernel.h"
int main() { job *d; int *o; cudaMalloc(&d, 4096 * sizeof(job)); cudaMalloc(&o, 4096 * 4); cudaMemset(d, 0, 4096 * sizeof(job)); drain(16, d, o); cudaDeviceSynchronize(); cudaFree(d); cudaFree(o); return 0; }
