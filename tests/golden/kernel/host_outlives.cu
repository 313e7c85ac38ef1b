// Long loops whose end is asked for behind them, however it is named there, and one whose end nobody asks for.

__global__ void k(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i] = 2 * a[i];
}

static void fill(float *host, int n)
{
	unsigned state = 1;

	for (int i = 0; i < n; i++) {
		state = state * 1664525u + 1013904223u;
		host[i] = (float)state;
	}
}

static void next(unsigned &number)
{
	number++;
}

int main()
{
	const int count = 300;
	static float host[count];
	unsigned plain = 1, aliased = 1, pointed = 1, passed = 1, scaled = 1, total = 0;
	unsigned &alias = aliased, *pointer = &pointed;
	int last;
	float *a;

	cudaMalloc(&a, sizeof(host));
	fill(host, count);
	for (int i = 0; i < count; i++)
		plain++;
	for (int i = 0; i < count; i++)
		aliased++;
	for (int i = 0; i < count; i++)
		pointed++;
	for (int i = 0; i < count; i++) {
		next(passed);
		total += 2;
	}
	for (last = 0; last < count; last++)
		scaled = scaled % 7 + 1;
	k<<<plain, 32>>>(a, 1);
	k<<<alias, 32>>>(a, 2);
	k<<<*pointer, 32>>>(a, 3);
	k<<<passed, total>>>(a, 4);
	k<<<last, 32>>>(a, 5);
	return 0;
}
