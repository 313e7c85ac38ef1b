// auto, decltype, and brace initialisation.
__global__ void k(float *a) {
	auto i = threadIdx.x;
	decltype(i) j{i + 1};
	int n{4};
	auto p = a + 2;
	p[i * n + j] = 0;
}
