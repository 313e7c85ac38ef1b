// A functor passed by value.
struct stride { int s; __device__ int operator()(int i) const { return i * s; } };
__global__ void k(float *a, stride f) { a[f(threadIdx.x)] = 0; }
