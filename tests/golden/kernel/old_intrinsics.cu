// Warp intrinsics without a mask.
__global__ void k(int *a) {
	int v = __shfl_down(a[threadIdx.x], 1);
	if (__any(v) && __all(v) && __ballot(v))
		a[__shfl(v, 0)] = __shfl_xor(v, 1) + __shfl_up(v, 2);
	a[__umul24(threadIdx.x, 3)] = 0;
}
