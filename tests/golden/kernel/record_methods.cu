// Methods on elements are followed; `this` is the element.
struct vec { float x, y; __device__ float dot() const { return x * x + y * y; } __device__ void scale(float s) { x *= s; this->y *= s; } };
__global__ void k(vec *v, float *out) {
	int i = threadIdx.x;
	out[i] = v[i].dot();
	v[i].scale(2);
}
