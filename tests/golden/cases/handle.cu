// A number on which nothing depends needs no value: the handle of a texture.
__global__ void sample(cudaTextureObject_t image, float *result, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		result[i] = tex2D<float>(image, i, 0);
}
int main()
{
	cudaTextureObject_t image;
	float *result;
	int n;
	cudaMalloc(&result, 4096 * sizeof(float));
	cudaCreateTextureObject(&image, nullptr, nullptr, nullptr);
	sample<<<16, 256>>>(image, result, n);
}
