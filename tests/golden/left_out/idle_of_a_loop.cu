// Of the launches of a loop those behind the middle do nothing: the grid shrinks while the first column that is left moves.
__global__ void row(float *a, int n, int k)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j > k && j < n)
		a[k * n + j] /= a[k * n + k];
}

int main()
{
	const int n = 1024;
	float *a;
	cudaMalloc(&a, n * n * sizeof(float));
	for (int k = 0; k < n; k++)
		row<<<(n - k + 127) / 128, 128>>>(a, n, k);
}
