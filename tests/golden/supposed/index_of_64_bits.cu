// An index of 64 bits is a number like one of 32: members of one gathered record lie in the same sectors, a member that is one is followed, and halves of it that are loaded by themselves.
struct rec {
	float x, y, z, w;
};
struct cell {
	long long start;
	double weight;
};
__global__ void two_members(const rec *p, const size_t *at, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[at[i]].x * p[at[i]].w;
}
__global__ void neighbours(const rec *p, const unsigned long long *at, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 8; k++)
		sum += p[at[i] + k].x;
	out[i] = sum;
}
__global__ void member(const float *p, const cell *c, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[c[i].start];
}
__global__ void masked(const rec *p, const long *at, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[at[i] & 4095].x;
}
__global__ void pairs(const rec *p, const longlong2 *at, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	longlong2 a = at[i];
	out[i] = p[a.x].x + p[a.y].x;
}
int main()
{
	rec *p;
	size_t *at;
	float *out, *numbers;
	cell *c;

	cudaMalloc(&p, (1 << 20) * sizeof(rec));
	cudaMalloc(&at, (1 << 18) * sizeof(size_t));
	cudaMalloc(&out, (1 << 18) * sizeof(float));
	cudaMalloc(&numbers, (1 << 20) * sizeof(float));
	cudaMalloc(&c, (1 << 18) * sizeof(cell));
	two_members<<<1024, 256>>>(p, at, out);
	neighbours<<<1024, 256>>>(p, (unsigned long long *)at, out);
	member<<<1024, 256>>>(numbers, c, out);
	masked<<<1024, 256>>>(p, (long *)at, out);
	pairs<<<512, 256>>>(p, (longlong2 *)at, out);
}
