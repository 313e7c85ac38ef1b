/* Device pointers in objects that are given all their members at once, and copies between two objects: refused, with the place. */
// incomplete: members of objects that are given all their members at once are refused
struct point {
	double x, v;
	bool alive;
};
struct listed {
	point *first;
	int n;
};
struct cloud {
	point *gpu;
	int n;
};

__global__ void push(point *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && p[i].alive)
		p[i].x += p[i].v;
}

int main()
{
	cloud ions, electrons;
	cloud *where = &electrons;

	ions.n = electrons.n = 1 << 16;
	cudaMalloc(&ions.gpu, ions.n * sizeof(point));
	cudaMalloc(&electrons.gpu, electrons.n * sizeof(point));
	cudaMemset(electrons.gpu, 0, electrons.n * sizeof(point));
	cudaMemcpy(ions.gpu, where->gpu, ions.n * sizeof(point), cudaMemcpyDeviceToDevice);
	push<<<256, 256>>>(ions.gpu, ions.n);
	listed all = {ions.gpu, 3};
	push<<<1, 256>>>(all.first, all.n);
	cudaFree(all.first);
	cudaFree(electrons.gpu);
	return 0;
}
