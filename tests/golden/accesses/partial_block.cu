// One warp of four leaves before the access: 0.75 per warp, of which the totals are made too. (Seed 6 of the first generator.)
struct pair { float a; int k; };
__global__ void copy(const pair *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float a = p[i].a;
		for (int t = 0; t < 3; t++)
			a += p[(i + t * 7 + 1) % n].k;
		out[i] = a;
	}
}
void launch(const pair *p, float *out)
{
	copy<<<1, 128>>>(p, out, 96);
}
