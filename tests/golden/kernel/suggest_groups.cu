// Arrays with equal sets of indices could form a record: x, y, z by i; u, v by 2 * i, spelled in two ways.
__global__ void k(float *x, const float *y, float *z, const double *u, int *v, const int *w, float *single, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		z[i] = x[i] * y[i] + u[i + i] + w[i + 1];
	x[i] = v[2 * i];
	single[0] = 1;
}
