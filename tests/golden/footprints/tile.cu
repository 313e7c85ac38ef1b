// Rows of a matrix by blocks of two dimensions, with neighbours: rows are an axis of their own.
__global__ void blur(const float *in, float *out, int width)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
	out[y * width + x] = in[y * width + x - 1] + in[(y - 1) * width + x];
}
int main()
{
	float *in, *out;
	cudaMalloc(&in, 100 * 100 * 4);
	cudaMalloc(&out, 100 * 100 * 4);
	blur<<<dim3(4, 8), dim3(16, 8)>>>(in, out, 100);
}
