// Pointers that a kernel may lack: passed as 0 through a function, by a variable that is 0 there, and one that has memory.
#define HEAVY(x) for (int k = 0; k < 100; k++) x = x * x + 1.5f;

__global__ void literal(float *p, const float *mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = p[i];
	if (mask) {
		HEAVY(x)
		x *= mask[i];
	}
	p[i] = x;
}

__global__ void inverted(float *p, const unsigned *mask, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = p[i];
		if (mask == nullptr)
			HEAVY(x)
		else
			x += mask[i];
		p[i] = x;
	}
}

__global__ void given(float *p, const float *mask)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i] = mask ? mask[i] : 2.0f;
}

static void run(float *p, const unsigned *mask)
{
	inverted<<<64, 128>>>(p, mask, 64 * 128);
}

int main()
{
	float *p, *q, *none = NULL;
	cudaMalloc(&p, 64 * 128 * sizeof(float));
	cudaMalloc(&q, 64 * 128 * sizeof(float));
	literal<<<64, 128>>>(p, none);
	run(p, 0);
	given<<<64, 128>>>(p, q);
}
