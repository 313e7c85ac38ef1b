// args: --grid 64 --block 128
// A parameter bounds a loop inside a thread, and nobody says it: as wide as trips that depend on data. One that a loop of the host changes is known to a factor of 2.
__global__ void sum(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0;
	for (int k = 0; k < n; k++)
		s += in[k * 8192 + i];
	out[i] = s;
}
