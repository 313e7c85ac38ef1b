// Tables of the library of mathematics: the number by which one is asked is made of data and of a parameter, which is no pointer to elsewhere.
struct P { double x, y; };
struct shift { double x, y; };
__global__ void plain(P *p)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].y = cos(p[i].x);
}
__global__ void shifted(P *p, shift s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i].y = cos(p[i].x + s.x) * s.y;
}
int main()
{
	P *p;
	cudaMalloc(&p, (1 << 20) * sizeof(P));
	plain<<<4096, 256>>>(p);
	shifted<<<4096, 256>>>(p, shift{1, 2});
}
