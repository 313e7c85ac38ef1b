struct pair {
	float a, b;
};

__global__ void halve(pair *p)
{
	float old = p[threadIdx.x].a;
	p[threadIdx.x].a = p[threadIdx.x].b / 2;
#ifndef __clang__
	/* libclang does not see this. */
	p[threadIdx.x].b = old;
#endif
	p[threadIdx.x].a += old;
}
