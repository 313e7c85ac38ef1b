// One kernel does not compile in one layout: that layout is left out, of the program too, and the others stand
struct body { float x, y, z, m; };
__global__ void good(body *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x *= 2; }
__global__ void picky(body *p, int n)
{
	static_assert(alignof(body) == 4, "records of words");
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) p[i].y += p[i].z;
}
int main()
{
	body *p, *q;
	cudaMalloc(&p, 4 << 20); cudaMalloc(&q, 4 << 20);
	good<<<1024, 256>>>(p, 262144);
	picky<<<1024, 256>>>(q, 262144);
}
