// A bool is true; equal factors of a bound share it; what bounds a loop inside a thread is --trips.
struct P { float x, y; };
__global__ void k(P *p, int nx, int ny, bool flag, int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < nx * ny && flag)
		for (int r = 0; r < rounds; r++)
			p[i].x += p[i].y;
}
