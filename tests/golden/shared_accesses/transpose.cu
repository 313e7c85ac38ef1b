// Columns of a tile in shared memory: 32 lanes meet in one bank, or in none where the rows are padded; values of 16 bytes need four
// passes and have no conflict.
__global__ void plain(float *out, const float *in)
{
	__shared__ float tile[32][32];

	tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
	__syncthreads();
	out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void padded(float *out, const float *in)
{
	__shared__ float tile[32][33];

	tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
	__syncthreads();
	out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void wide(float4 *out, const float4 *in)
{
	__shared__ float4 row[256];

	row[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = row[255 - threadIdx.x];
}
int main()
{
	float *a, *b;

	cudaMalloc(&a, 4096);
	cudaMalloc(&b, 4096);
	plain<<<1, dim3(32, 32)>>>(b, a);
	padded<<<1, dim3(32, 32)>>>(b, a);
	wide<<<1, 256>>>((float4 *)b, (float4 *)a);
	return 0;
}
