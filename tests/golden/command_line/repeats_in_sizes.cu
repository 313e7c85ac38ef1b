// Sizes outside, repetitions inside: all repetitions of a size are one, however many they are.
__global__ void add(float *p, const float *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] += q[i];
}

static int log2_of(int n)
{
	int log = 0;
	for (; (n & 1) == 0; n >>= 1, log++)
		;
	return log;
}

static int launch(float *p, float *q, int n)
{
	int log = log2_of(n);
	add<<<n / 256, 256>>>(p, q, n);
	return log;
}

int main()
{
	float *p, *q;
	int logs = 0;
	cudaMalloc(&p, 4 << 20);
	cudaMalloc(&q, 4 << 20);
	for (int n = 1 << 16; n <= 1 << 18; n <<= 1)
		for (int round = 0; round < 1000; round++)
			logs = launch(p, q, n);
	return logs;
}
