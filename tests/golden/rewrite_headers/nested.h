#ifndef NESTED_CUH
#define NESTED_CUH
#include "kernels/relax.cuh"
inline int blocks(int n) { return (n + 127) / 128; }
#endif
