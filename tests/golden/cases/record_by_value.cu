// args: --arg g.nx=512
// Members of a record passed by value are known by name, and assumed by what they are for.
struct grid_info { int nx, ny; float dx; };
struct P { float x, y; };
__global__ void k(P *p, grid_info g)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
	if (i < g.nx && j < g.ny)
		p[j * g.nx + i].x += g.dx * p[j * g.nx + i].y;
}
