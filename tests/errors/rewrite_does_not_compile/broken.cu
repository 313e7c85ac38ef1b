struct pair {
	float a, b;
};

__global__ void halve(pair *p)
{
	p[threadIdx.x].a = p[threadIdx.x].b / 2;
}

int main(void)
{
	pair *p;

	cudaMalloc(&p, 32 * sizeof(pair));
	cudaMemset(p, 0, 32 * sizeof(pair));
	halve<<<1, 32>>>(p);
	cudaFree(p);
#ifdef __clang__
	return 0;
#else
	/* libclang does not see this. */
	return undeclared;
#endif
}
