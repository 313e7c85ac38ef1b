struct pair {
	float a, b;
};
__device__ void keep(pair *p);
__global__ void only(pair *p)
{
	p[threadIdx.x].a = p[threadIdx.x].b;
	keep(p);
}
