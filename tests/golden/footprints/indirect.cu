// Where the gathered elements lie is not known; the list is read in order.
__global__ void gather(const int *list, const float *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[list[i]];
}
int main()
{
	int *list;
	float *in, *out;
	cudaMalloc(&list, 1024 * 4);
	cudaMalloc(&in, 1024 * 4);
	cudaMalloc(&out, 1024 * 4);
	gather<<<4, 256>>>(list, in, out);
}
