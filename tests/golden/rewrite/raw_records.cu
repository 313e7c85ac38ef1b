/* Records that no constructor makes in device code: they are only copied there. */
// incomplete: a record that a constructor of its own copies keeps its layout
struct pair {
	int a, b;

	pair(int a, int b) : a(a), b(b) {}
};
struct cell {
	double x, y;
	int count;
	pair ends;

	cell() : x(0), y(0), count(-1), ends(1, 2) {}
	__host__ __device__ double sum() const { return x + y; }
};
struct owner {
	int n, m;

	owner() : n(0), m(0) {}
	__host__ __device__ owner(const owner &o) : n(o.n + 1), m(o.m) {}
};

__global__ void step(cell *cells, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		cell c = cells[i];
		c.count = c.x < c.sum();
		cells[i] = c;
	}
}

__device__ double longest(const cell *c, int n)
{
	double most = 0;

	for (const cell *p = c; p < c + n; p++) {
		cell copy = *p;
		most = copy.x > most ? copy.x : most;
	}
	return most;
}

__global__ void search(const cell *cells, double *most, int n)
{
	most[threadIdx.x] = longest(cells, n);
}

__global__ void own(owner *owners)
{
	owner o = owners[threadIdx.x];

	owners[threadIdx.x].m = o.n;
}

int main()
{
	int n = 1 << 16;
	cell *h = new cell[n], *d;
	double *most;
	owner *owners;

	cudaMalloc(&d, n * sizeof(cell));
	cudaMalloc(&most, 32 * sizeof(double));
	cudaMalloc(&owners, 32 * sizeof(owner));
	cudaMemcpy(d, h, n * sizeof(cell), cudaMemcpyHostToDevice);
	step<<<n / 128, 128>>>(d, n);
	search<<<1, 32>>>(d, most, n);
	own<<<1, 32>>>(owners);
	cudaMemcpy(h, d, n * sizeof(cell), cudaMemcpyDeviceToHost);
	cudaFree(d);
	cudaFree(most);
	cudaFree(owners);
	delete[] h;
}
