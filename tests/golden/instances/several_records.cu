// One kernel template over several records: each instance is ranked by itself.
struct light { float x, v; };
struct heavy { double x, v, w; };

template <typename T> __device__ void step(T &t, float dt) { t.x += t.v * dt; }

template <typename T> __global__ void move(T *a, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		step(a[i], dt);
}

int main(void)
{
	int n = 1 << 20;
	light *l;
	heavy *h;

	cudaMalloc(&l, n * sizeof *l);
	cudaMalloc(&h, n * sizeof *h);
	move<<<n / 256, 256>>>(l, 0.1f, n);
	move<<<n / 256, 256>>>(h, 0.1f, n);
	cudaDeviceSynchronize();
}
