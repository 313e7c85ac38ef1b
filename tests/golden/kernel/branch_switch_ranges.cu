// switch: a variable declared in its head, ranges of cases, and a break under a condition.
__global__ void k(int *a, int m) {
	int i = threadIdx.x;
	switch (int q = m * 2; q) {
	case 4:
		a[q] = 1;
		break;
	case 5 ... 8: a[q + 1] = 1;
	}
	switch (m) {
	case 1 ... 3:
		if (i > 5)
			break;
		a[i] = 1;
	case 9:
		a[i + 1] = 2;
		return;
	default:
		a[i + 2] = 3;
	}
	a[i + 3] = 4;
}
