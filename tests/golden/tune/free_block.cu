/* args: --budget 40 --top 6 */
struct particle { float x, y, z, w; };

__global__ void advance(particle *p, float *out, int n, float dt)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = p[i].x * dt;
}

int main()
{
	particle *p;
	float *out;
	int n = 100000;
	cudaMalloc(&p, n * sizeof *p);
	cudaMalloc(&out, n * sizeof *out);
	advance<<<(n + 255) / 256, 256>>>(p, out, n, 0.5f);
	return 0;
}
