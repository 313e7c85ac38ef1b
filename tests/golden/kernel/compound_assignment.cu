// Compound assignments and increments read and write.
__global__ void k(int *a, int *b) {
	int i = threadIdx.x;
	a[i] += b[i];
	b[i]++;
	--a[i + 1];
	a[b[i]] <<= 2;
}
