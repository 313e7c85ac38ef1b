// An unknown scalar that bounds the loop over a member array.
struct cell { float f[9]; float rho; };
__global__ void k(cell *c, int q)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int d = 0; d < q; d++)
		sum += c[i].f[d];
	c[i].rho = sum;
}
int main() { cell *c; cudaMalloc(&c, 4096 * sizeof(cell)); k<<<16, 256>>>(c, *(volatile int *)c); }
