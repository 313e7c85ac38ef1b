int steps() { return 1; }
__global__ void first(int *p) { p[threadIdx.x] = 1; }
int main()
{
	int *p;
	cudaMalloc(&p, 4 * 32);
	first<<<steps(), 32>>>(p);
}
