struct pair { float a, b; };
__global__ void pick(const pair *p, const int *index, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = p[index[i]].a;
}
int main()
{
	pair *p;
	int *index;
	float *out;
	cudaMalloc(&p, 1024 * sizeof(pair));
	cudaMalloc(&index, 256 * sizeof(int));
	cudaMalloc(&out, 256 * sizeof(float));
	pick<<<4, 64>>>(p, index, out);
}
