// Moves particles. Small, and whole: a record, two kernels, copies and launches.
struct particle {
	float x, y, z, mass;
	int cell;
};

__global__ void move(particle *p, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += dt * p[i].mass;
}

__global__ void gather(const particle *p, const int *index, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int j = 0; j < 8; j++)
		sum += p[index[i]].y * p[i].z;
	if (i < n)
		out[i] = sum;
}

int main()
{
	const int n = 4096;
	particle *p;
	int *index;
	float *out;
	cudaMalloc(&p, n * sizeof(particle));
	cudaMalloc(&index, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(float));
	move<<<n / 128, 128>>>(p, 0.5f, n);
	gather<<<n / 256, 256>>>(p, index, out, n);
	return 0;
}
