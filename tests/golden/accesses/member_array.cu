// Two elements of a member array, read on two lines: each line has its own load.
// Seed 15 of the first generator in tests/generator: the compiler puts the loads on the lines of their uses.
struct body {
	short mass;
	unsigned short k[2];
};
__global__ void sum(body *p, int *out, int n)
{
	unsigned u = 7u;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned short first = (p + i)->k[0];
	u = u * 5u + (unsigned)first;
	short mass = (p + i)->mass;
	u = u * 31u + (unsigned)mass;
	for (int t = 0; t < 1; t++)
		u = u * 3u + (unsigned)t;
	unsigned short second = p[i].k[1];
	u = u * 33u + (unsigned)second;
	out[i] = (int)(1.0f + (float)(u & 255u));
}
void launch(body *p, int *out)
{
	sum<<<8, 32>>>(p, out, 200);
}
