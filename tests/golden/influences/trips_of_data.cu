/* Trips that data decide may be a few or those over an array: the interval says so. */
struct point {
	float x, y;
};

__global__ void sum(const point *p, const int *much, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0;

	for (int k = 0; k != much[i]; k += 3)
		s += p[i].x * k;
	out[i] = s;
}
