// A vector type: whole loads are one access of 16 bytes, members are leaves.
__global__ void k(const float4 *a, float4 *b, float *c) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = a[i];
	b[i] = make_float4(v.x, v.y, v.z, 1.0f);
	c[i] = a[i + 1].w;
}
