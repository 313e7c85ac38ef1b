// Device lambdas are objects of classes that are named after their lines: captures by = and by list, with a value, to be changed; two holders of one record.
struct rec { float x, y, z, vx, vy, vz; };
__device__ void drift(rec &r, float d) { r.y += d; }

template <class F> __global__ void run(F f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		f(i);
}

template <class F> void parallel_for(int n, F f) { run<<<(n + 255) / 256, 256>>>(f, n); }

int main(void)
{
	int n = 1 << 20;
	float dt = 0.1f;
	rec *p, *q;
	int *count;

	cudaMalloc(&p, n * sizeof(rec));
	cudaMalloc(&q, n * sizeof(rec));
	cudaMalloc(&count, n * sizeof(int));
	parallel_for(n, [=] __device__(int i) { p[i].x += p[i].vx * dt; });
	parallel_for(n, [p, q, half = n / 2] __host__ __device__(int i) {
		if (i >= half)
			return;
		rec &r = q[i];
		r.z = p[i].z;
		drift(r, 1.f);
	});
	parallel_for(n, [=] __device__(int i) mutable { count[i] += i; });
	cudaDeviceSynchronize();
}
