// A thread for each record: lanes, warps and blocks are one axis.
struct point {
	float x, y, z;
};
__global__ void move(point *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += p[i].z;
}
int main()
{
	point *p;
	cudaMalloc(&p, 1000 * sizeof(point));
	move<<<4, 256>>>(p, 1000);
}
