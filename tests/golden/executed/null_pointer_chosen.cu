// The host chooses between 0 and memory: the same kernel with and without, once for each.
__global__ void add(float *p, const float *more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (more)
		p[i] += more[i];
	else
		p[i] = 0;
}

static void run(float *p, const float *more, bool with)
{
	add<<<32, 128>>>(p, with ? more : nullptr);
}

int main()
{
	float *p, *q;
	cudaMalloc(&p, 4096 * sizeof(float));
	cudaMalloc(&q, 4096 * sizeof(float));
	run(p, q, true);
	run(p, q, false);
}
