// Records and arrays of the thread: their members are followed.
struct cursor { int row, column; float value; };
__global__ void k(float *a, int n) {
	cursor c = {1, 2, 0.5f}, d;
	c.row += n;
	d = c;
	d.column = threadIdx.x;
	int2 p = make_int2(3, 4);
	p.y *= 2;
	a[d.row * 8 + d.column] = c.value;
	a[p.x + p.y] = 0;
}
