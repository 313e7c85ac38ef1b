// The definition of a constant stands behind the code that reads it, as in another file of the program.
extern const int LENGTH;
extern "C" const unsigned FIRST, LAST;

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = 1.0f;
}

int main()
{
	float *p;
	cudaMalloc(&p, LENGTH * sizeof(float));
	for (unsigned n = FIRST; n <= LAST; n *= 2)
		fill<<<n / 128, 128>>>(p, n);
	fill<<<LENGTH / 128, 128>>>(p, LENGTH);
}

const int LENGTH = 1 << 18;
extern "C" const unsigned FIRST = 1024;
extern "C" const unsigned LAST = 4 * FIRST;
