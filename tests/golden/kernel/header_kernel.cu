// A kernel in a header of the file's own: places are the header's.
#include "header_kernel.h"
int main() {
	float *a;
	cudaMalloc(&a, 128);
	in_header<<<1, 32>>>(a);
}
