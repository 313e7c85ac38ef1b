// A functor with a pointer to records, beside a kernel that takes that pointer itself.
struct rec { float x, y, z, vx, vy, vz; };
__device__ void drift(rec &r, float dt) { r.x += r.vx * dt; }
struct mover {
	rec *p;
	float dt;
	__device__ void operator()(int i) const { drift(p[i], dt); p[i].y += p[i].vy; }
};

template <class F> __global__ void run(F f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		f(i);
}

__global__ void clear(rec *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].z = 0;
}

int main(void)
{
	int n = 1 << 20;
	mover m;

	m.dt = 0.1f;
	cudaMalloc(&m.p, n * sizeof(rec));
	clear<<<n / 256, 256>>>(m.p, n);
	run<<<n / 256, 256>>>(m, n);
	cudaDeviceSynchronize();
	cudaFree(m.p);
}
