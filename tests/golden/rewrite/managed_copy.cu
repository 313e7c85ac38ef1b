// Managed memory of which host code takes a whole record: that is not followed.
// incomplete: refused
struct body {
	float x, y;
};

__global__ void step(body *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		b[i].x += b[i].y;
}

int main()
{
	const int n = 1 << 12;
	int k = 0;
	body *b;

	cudaMallocManaged(&b, n * sizeof(body));
	b[k++].x = 1;
	step<<<(n + 255) / 256, 256>>>(b, n);
	cudaDeviceSynchronize();
	const body first = b[0];
	return first.x > 1;
}
