#include "point.h"
void load(point *h, point *d, int n) { cudaStream_t s; cudaStreamCreate(&s); cudaMemcpyAsync(d, h, n * sizeof(point), cudaMemcpyHostToDevice, s); cudaStreamSynchronize(s); }
