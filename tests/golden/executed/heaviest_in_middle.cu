// The middle block does most, on an SM that has fewer blocks than others.
__global__ void uneven(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	int trips = 20000 - 2 * abs((int)blockIdx.x - 499);
	for (int k = 0; k < trips; k++)
		sum += in[(i + k * 1024) & (n - 1)];
	out[i] = sum;
}

int main()
{
	float *in, *out;
	int n = 1 << 20;
	cudaMalloc(&in, n * sizeof(float));
	cudaMalloc(&out, n * sizeof(float));
	uneven<<<1000, 256>>>(in, out, n);
}
