/* Structs of the host that hold device pointers, reached through objects, pointers and references. */
struct point {
	double x, v;
	bool alive;
};
struct cloud {
	double speed;
	point *host, *gpu;
	int n;
};
typedef struct {
	point *old, *now;
} pair;
/* Its objects are given their members in order: it stays. */
struct listed {
	point *first;
	int n;
};

__global__ void push(point *p, double speed, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n && p[i].alive)
		p[i].x += speed * p[i].v;
}

static void step(cloud *c)
{
	push<<<c->n / 256, 256>>>(c->gpu, c->speed, c->n);
}

static void halve(cloud &c)
{
	push<<<c.n / 512, 256>>>(c.gpu, c.speed, c.n / 2);
}

static void clear(point *p, int n)
{
	cudaMemset(p, 0, n * sizeof(point));
}

int main()
{
	cloud ions, electrons = {};
	pair both;

	ions.speed = electrons.speed = 1;
	ions.n = electrons.n = 1 << 16;
	ions.host = new point[ions.n]();
	cudaMalloc((void **)&ions.gpu, ions.n * sizeof(point));
	cudaMalloc(&electrons.gpu, electrons.n * sizeof(*electrons.gpu));
	cudaMalloc(&both.now, ions.n * sizeof(point));
	cudaMemcpy(ions.gpu, ions.host, ions.n * sizeof(point), cudaMemcpyHostToDevice);
	clear(electrons.gpu, electrons.n);
	clear(both.now, ions.n);
	for (int t = 0; t < 10; t++)
		step(&ions);
	halve(electrons);
	push<<<1, 256>>>(both.now, 2, 256);
	cudaMemcpy(ions.host, ions.gpu, ions.n * sizeof(point), cudaMemcpyDeviceToHost);
	cudaFree(ions.gpu);
	cudaFree(electrons.gpu);
	cudaFree(both.now);
	electrons.gpu = NULL;
	delete[] ions.host;
	return 0;
}
