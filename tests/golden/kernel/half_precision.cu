// half and half2.
#include <cuda_fp16.h>
__global__ void k(const half *a, half2 *b) {
	b[threadIdx.x] = __half2half2(a[threadIdx.x]);
	b[threadIdx.x + 1] = __hadd2(b[threadIdx.x], b[threadIdx.x + 2]);
}
