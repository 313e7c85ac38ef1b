// A lambda in a kernel, and a kernel that takes one.
template <typename F> __global__ void apply(float *a, F f) { a[f(threadIdx.x)] = 0; }
__global__ void k(float *a) {
	auto index = [](int i) { return 3 * i; };
	a[index(threadIdx.x)] = 0;
}
int main() {
	int s = 2;
	apply<<<1, 32>>>((float *)0, [=] __device__(int i) { return i * s; });
}
