// Errors in host code do not prevent the analysis of kernels.
#include "no_such_header.h"
__global__ void k(float *a) { a[threadIdx.x] = 0; }
int main() {
	undeclared_type x;
	no_such_function(x);
	float *a;
	cudaMalloc(&a, 64);
	k<<<2, 16>>>(a);
	return y;
}
