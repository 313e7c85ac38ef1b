// args: --trips 20 --arg 'nx=1<<10,ny=4K' --arg k:flag=false
struct P { float x, y; };
__global__ void k(P *p, int nx, int ny, bool flag, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < nx * ny && flag)
		for (int r = 0; r < rounds; r++)
			p[i].x += p[i].y;
}
