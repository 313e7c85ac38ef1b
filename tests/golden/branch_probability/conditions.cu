/* How often a condition of the source holds, whatever way the compiler turns it: statements, jumps, else, one line, in a called function, two conditions. */
struct P {
	float x, y, z, w;
};
__device__ void mark(float *out, int i, float limit, float value)
{
	if (value > limit)
		out[i] = sinf(value);
}
__global__ void statement(const P *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (p[i].x < p[i].y) {
		out[i] = sinf(p[i].z) * expf(p[i].w);
	}
}
__global__ void leaves(const P *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (p[i].x < p[i].y)
		return;
	out[i] = sinf(p[i].z) * expf(p[i].w);
}
__global__ void continues(const P *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < n; k++) {
		if (p[i + k * 1024].x < p[i + k * 1024].y)
			continue;
		out[i + k * 1024] = sinf(p[i].z) * expf(p[i].w) + k;
	}
}
__global__ void otherwise(const P *p, float *out, float *other, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (p[i].x < p[i].y) {
		out[i] = sinf(p[i].z) * expf(p[i].w);
		out[i + 1024] = 2.0f;
		out[i + 2048] = 3.0f;
	} else {
		other[i] = cosf(p[i].w);
	}
}
__global__ void called(const P *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	mark(out, i, p[i].x, p[i].y);
}
__global__ void line(const P *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (p[i].x < p[i].y) out[i] = p[i].z;
}
__global__ void given(const P *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = p[i].z;
}
int main()
{
	P *p;
	float *out, *other;

	cudaMalloc(&p, (1 << 20) * sizeof(P));
	cudaMalloc(&out, (1 << 20) * sizeof(float));
	cudaMalloc(&other, (1 << 20) * sizeof(float));
	statement<<<256, 256>>>(p, out, 1 << 16);
	leaves<<<256, 256>>>(p, out, 1 << 16);
	continues<<<256, 256>>>(p, out, 16);
	otherwise<<<256, 256>>>(p, out, other, 1 << 16);
	called<<<256, 256>>>(p, out, 1 << 16);
	line<<<256, 256>>>(p, out, 1 << 16);
	given<<<256, 256>>>(p, out, 1 << 16);
}
