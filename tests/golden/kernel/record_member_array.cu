// A member array is indexed by an inner index.
struct sample { int id; float value[4]; };
__global__ void k(sample *s, float *sum) {
	int i = threadIdx.x;
	for (int k = 0; k < 4; k++)
		sum[i] += s[i].value[k];
	s[i].value[2] = 0;
}
