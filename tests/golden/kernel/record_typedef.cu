// A record named by a typedef only.
typedef struct { float re, im; } complex_number;
__global__ void k(complex_number *c) { c[threadIdx.x].re = c[threadIdx.x].im; }
