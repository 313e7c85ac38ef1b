// float2, double2, uchar3: sizes and widths.
__global__ void k(float2 *a, double2 *b, uchar3 *c) {
	int i = threadIdx.x;
	a[i].x = b[i].y;
	c[i] = c[i + 1];
	b[i] = b[i + 2];
}
