/* args: --tile all --tune block=256 --top 9 */
/* Each tile of asta is a layout of its own. */
struct particle { float x, y, z, w; };

__global__ void advance(particle *p, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += p[i].w * dt;
}
int main()
{
	particle *p;
	int n = 1 << 20;
	cudaMalloc(&p, n * sizeof *p);
	advance<<<n / 256, 256>>>(p, n, 0.1f);
	return 0;
}
