// A variable stepped in an inner loop: unknown at the head of the outer one, known inside the inner one.
__global__ void k(float *a, int n) {
	int p = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 4; j++)
			a[p++] = 0;
}
