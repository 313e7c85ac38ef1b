/* One kernel reads a member of two records, one of them also alone: changes gain together what they gain. */
struct body { float x, y, z, w, vx, vy, vz, q; };
struct cell { float a, b, c, d, e, f, g, h; };
__global__ void both(const body *p, const cell *c, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[i].x + c[i].a;
}
__global__ void alone(const body *p, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] += p[i].y;
}
int main()
{
	body *p;
	cell *c;
	float *out;
	cudaMalloc(&p, sizeof(body) << 24);
	cudaMalloc(&c, sizeof(cell) << 24);
	cudaMalloc(&out, sizeof(float) << 24);
	for (int i = 0; i < 100; i++) {
		both<<<65536, 256>>>(p, c, out);
		alone<<<65536, 256>>>(p, out);
	}
}
