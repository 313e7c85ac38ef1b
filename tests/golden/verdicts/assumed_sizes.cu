/* Nobody says the grid: how far the verdict holds. */
struct particle { float x, y, z, w; };

__global__ void advance(particle *p, float *out, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = p[i].x * dt;
}
