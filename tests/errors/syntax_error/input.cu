__global__ void broken(float *p)
{
	int i = threadIdx.x;
	p[i] = ;
}
