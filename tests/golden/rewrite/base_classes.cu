// Members of base classes are members; a hidden one keeps the record.
struct place { float x, y; __device__ void step(float d) { x += d; y += d; } };
struct speed { float vx, vy; };
struct particle : place, speed { float mass; __device__ float energy() const { return mass * (vx * vx + vy * vy); } };
struct hides : place { float x; };

__global__ void move(particle *p, float *e, hides *h, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	particle q = p[i];
	q.x += q.vx * dt;
	p[i] = q;
	p[i].y += p[i].vy * dt;
	p[i].step(dt);
	e[i] = p[i].energy();
	h[i].x += h[i].y;
}

int main(void)
{
	int n = 1 << 20;
	particle *p;
	hides *h;
	float *e;

	cudaMalloc(&p, n * sizeof(particle));
	cudaMalloc(&h, n * sizeof(hides));
	cudaMalloc(&e, n * sizeof(float));
	move<<<n / 256, 256>>>(p, e, h, 0.1f, n);
	cudaDeviceSynchronize();
	cudaFree(p);
	cudaFree(h);
	cudaFree(e);
}
