// A template over types, instantiated twice.
template <typename T> __global__ void scale(T *a, T f, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] *= f;
}
int main() {
	float *x;
	double *y;
	cudaMalloc(&x, 1024 * sizeof(float));
	cudaMalloc(&y, 1024 * sizeof(double));
	scale<float><<<8, 128>>>(x, 2.0f, 1024);
	scale<<<4, 256>>>(y, 2.0, 1024);
}
