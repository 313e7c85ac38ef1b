// Dynamic shared memory of bytes, read as floats.
__global__ void k(float *a) {
	extern __shared__ unsigned char bytes[];
	float *s = reinterpret_cast<float *>(bytes);
	s[threadIdx.x] = a[threadIdx.x];
}
