// Loops that something else may end before are taken to run to their bound.
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
bool done();
int main() {
	float *a, error = 1, limit = 1e-6f;
	int i = 0;
	cudaMalloc(&a, 256);
	while (error > limit && i < 500) {
		k<<<1, 32>>>(a, 1);
		cudaMemcpy(&error, a, sizeof(error), cudaMemcpyDeviceToHost);
		i++;
	}
	for (int j = 0; j < 200; j++) {
		k<<<2, 32>>>(a, 2);
		if (done())
			break;
	}
	for (int j = 10; j > 0 && !done(); j -= 2)
		k<<<3, 32>>>(a, 3);
	do
		k<<<4, 32>>>(a, 4);
	while (!done());
}
