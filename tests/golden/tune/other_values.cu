/* args: --tune TILE=2,4 --block 64 --grid '4096/64/TILE' */
/* The file's own TILE is not among those to try: its grid follows from its own value, and it is a row all the same. */
#ifndef TILE
#define TILE 1
#endif
__global__ void twice(const float *in, float *out)
{
	int x = blockIdx.x * blockDim.x * TILE + threadIdx.x;
	for (int t = 0; t < TILE; t++)
		out[x + t * blockDim.x] = in[x + t * blockDim.x] * 2;
}
