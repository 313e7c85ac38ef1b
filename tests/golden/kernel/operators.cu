// Overloaded operators on vectors.
__device__ float3 operator+(float3 a, const float3 &b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 &operator+=(float3 &a, float3 b) { a = a + b; return a; }
__global__ void k(float3 *p, const float3 *v) {
	int i = threadIdx.x;
	p[i] = p[i] + v[i];
	p[i + 1] += v[i];
}
