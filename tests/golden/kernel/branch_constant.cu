// Branches on constants are decided.
#define VERBOSE 0
__global__ void k(float *a) {
	if (VERBOSE)
		a[1] = 0;
	else
		a[2] = 0;
	if (sizeof(int) == 4 && true)
		a[3] = 0;
}
