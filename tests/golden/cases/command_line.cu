// args: -- 640 480 0
// What the command line says need not be assumed.
#include <cstdlib>
struct P { float x, y; };
__global__ void k(const P *p, float *o, int w, int h, int x0)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x0 + x < w && y < h)
		o[y * w + x] = p[y * w + x].x + p[y * w + x].y;
}
int main(int c, char **v)
{
	int w = atoi(v[1]), h = atoi(v[2]), x0 = atoi(v[3]);
	P *p;
	float *o;
	cudaMalloc(&p, w * h * sizeof(P));
	cudaMalloc(&o, w * h * 4);
	k<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(p, o, w, h, x0);
}
