// Sizes in constant memory that nothing in the file says: numbers to be asked for, as parameters are, by the name of a variable or a member. A table is none.
struct P { float x, y, z, m; };
struct settings { int nx, ny, nz; float h, table[4]; };
__constant__ settings grid;
__constant__ int count;
__global__ void flow(const P *p, P *q)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= grid.nx || y >= grid.ny) return;
	for (int z = 0; z < grid.nz; z++) {
		int i = (z * grid.ny + y) * grid.nx + x;
		q[i].x = p[i].x + grid.table[z & 3] * p[i].m;
	}
}
__global__ void each(P *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count) p[i].y *= 2;
}
