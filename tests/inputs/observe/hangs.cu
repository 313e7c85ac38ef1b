// The program never ends; what it launched before counts.
// flags: --limit-seconds 8 --kernel-seconds 0
// launch: fill 2x1x1 32x1x1 0 3
// says: the program ended with more than 8 s of processor time (--limit-seconds)
__global__ void fill(int *x)
{
	x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
int main()
{
	int *x;
	volatile int go = 1;
	cudaMalloc(&x, 64 * sizeof(int));
	for (int i = 0; i < 3; i++)
		fill<<<2, 32>>>(x);
	while (go)
		continue;
	return 0;
}
