/* As many blocks as somebody likes, and no number that follows from them; two axes. */
struct pair { double a, b; };

__global__ void first(pair *p, double *out)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	int i = y * gridDim.x * blockDim.x + x;
	out[i] = p[i].a;
}
