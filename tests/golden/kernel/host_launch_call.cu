// cudaLaunchKernel, and a kernel held by a variable.
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
int main() {
	float *a;
	int n = 300;
	cudaMalloc((void **)&a, 1200);
	void *arguments[] = {&a, &n};
	cudaLaunchKernel((void *)k, dim3(3), dim3(100), arguments, 0, 0);
	cudaLaunchKernel((const void *)&k, 4, 50, arguments, 256, nullptr);
	void (*f)(float *, int) = k;
	f<<<5, 60>>>(a, n + 1);
}
