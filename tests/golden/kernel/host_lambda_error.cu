// An error in a lambda of the host does not prevent the analysis of kernels.
template <typename T> __global__ void fill(T *a) { a[threadIdx.x] = 0; }
__global__ void k(float *a) { a[threadIdx.x] = 0; }
int main() {
	auto run = [&]() { fill<scalar_t><<<1, 32>>>(x); };
	run();
	k<<<1, 32>>>(nullptr);
}
