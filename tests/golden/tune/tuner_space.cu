/* args: --space tests/inputs/tune/space.json */
#define WIDTH 1024
__global__ void turn(const float *in, float *out)
{
	int x = blockIdx.x * block_size_x * tile + threadIdx.x, y = blockIdx.y * block_size_y + threadIdx.y;
	for (int t = 0; t < tile; t++)
		out[y * WIDTH + x + t * block_size_x] = in[y * WIDTH + x + t * block_size_x] * 2;
}
