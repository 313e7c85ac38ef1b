// switch: cases, fall through, default.
__global__ void k(float *a, int mode) {
	int i = threadIdx.x, w = 0;
	switch (mode) {
	case 0:
		a[i] = 0;
		break;
	case 1:
	case 2:
		w = 7;
		a[i + 1] = 0;
		// falls through
	case 3:
		a[i + 2] = 0;
		break;
	default:
		a[i + 3] = 0;
	}
	a[w] = 0;
}
