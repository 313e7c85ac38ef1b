// A record passed by value: its integers are symbols, its pointers arrays.
struct grid { float *data; int width, height; };
__global__ void k(grid g) {
	int x = threadIdx.x, y = threadIdx.y;
	if (x < g.width && y < g.height)
		g.data[y * g.width + x] = 0;
}
