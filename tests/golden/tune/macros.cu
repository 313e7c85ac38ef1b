/* args: --tune BX=8,32,2048 --tune BY=4,8 --constraint 'BX*BY<=256||BX==2048' */
#ifndef BX
#define BX 8
#endif
#define BY 8 /* rows of a block */
#define WIDTH 2048

__global__ void turn(const float *in, float *out)
{
	int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
	out[y * WIDTH + x] = in[y * WIDTH + x] * 2;
}

int main()
{
	float *in, *out;
	cudaMalloc(&in, WIDTH * WIDTH * sizeof *in);
	cudaMalloc(&out, WIDTH * WIDTH * sizeof *out);
	turn<<<dim3(WIDTH / BX, WIDTH / BY), dim3(BX, BY)>>>(in, out);
	return 0;
}
