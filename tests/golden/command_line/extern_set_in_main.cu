// A global that is declared in one place, set in main and read in a function between both.
extern int count;

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = 1.0f;
}

static void run(float *p)
{
	fill<<<count / 64, 64>>>(p, count);
}

int main()
{
	float *p;
	count = 6400;
	cudaMalloc(&p, count * sizeof(float));
	run(p);
}

int count = 64;
