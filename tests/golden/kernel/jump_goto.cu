// goto is reported.
__global__ void k(float *a, int n) {
	if (n > 3)
		goto end;
	a[0] = 0;
end:
	a[1] = 0;
}
