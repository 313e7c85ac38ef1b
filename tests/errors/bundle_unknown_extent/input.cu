/* Where the chain ends stands in memory. */
__global__ void walk(int *next)
{
	int i = threadIdx.x;

	while (next[i] >= 0)
		i = next[i];
	next[i] = threadIdx.x;
}
