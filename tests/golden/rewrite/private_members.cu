// incomplete: refused
// The members are private: methods alone reach them, on whole records.
class Particle {
	float x_, y_, vx_, vy_;

public:
	__host__ __device__ Particle() : x_(0), y_(0), vx_(1), vy_(1)
	{
	}
	__device__ void advance(float dt)
	{
		x_ += vx_ * dt;
		y_ += vy_ * dt;
	}
};

__global__ void advance(Particle *p, int n, float dt)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;

	if (i < n)
		p[i].advance(dt);
}

int main()
{
	const int n = 1 << 10;
	Particle *p;

	cudaMalloc(&p, n * sizeof(Particle));
	advance<<<n / 256, 256>>>(p, n, 0.1f);
	cudaFree(p);
	return 0;
}
