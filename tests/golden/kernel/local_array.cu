// Local arrays are memory of the thread; constant ones are read like any.
__global__ void k(float *out, const float *in) {
	float window[3];
	const int offset[3] = {-1, 0, 1};
	for (int i = 0; i < 3; i++)
		window[i] = in[threadIdx.x + 1 + offset[i]];
	out[threadIdx.x] = window[0] + window[1] + window[2];
}
