// An unknown scalar that indexes a member array is assumed to stay inside of it; one that only bounds elements is not limited.
struct cell { float f[19]; float rho; };
__global__ void k(cell *c, int direction, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		c[i].rho = c[i].f[direction + 2];
}
