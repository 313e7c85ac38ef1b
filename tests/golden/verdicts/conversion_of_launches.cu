/* What converting costs, where the program launches the kernel often; and where there is nothing to convert. */
struct particle { float x, y, z, w; };

__global__ void sum(const particle *p, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[i].x;
}

__global__ void all(const particle *p, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[i].x + p[i].y + p[i].z + p[i].w;
}

int main()
{
	particle *p;
	float *out;
	cudaMalloc(&p, (1 << 22) * sizeof *p);
	cudaMalloc(&out, (1 << 22) * sizeof *out);
	for (int step = 0; step < 50; step++)
		sum<<<(1 << 22) / 256, 256>>>(p, out);
	all<<<(1 << 22) / 256, 256>>>(p, out);
	return 0;
}
