// __constant__ arrays and scalars.
__constant__ float weight[9];
__constant__ int width;
__global__ void k(const float *in, float *out) {
	float s = 0;
	for (int i = 0; i < 9; i++)
		s += weight[i] * in[threadIdx.x * width + i];
	out[threadIdx.x] = s;
}
