// A template over a value: it is a constant in the kernel.
template <int WIDTH, bool BACKWARDS> __global__ void shift(float *a) {
	if (BACKWARDS)
		a[WIDTH - 1 - threadIdx.x] = 0;
	else
		a[threadIdx.x] = 0;
	for (int i = 0; i < WIDTH; i++)
		a[i * WIDTH] = 1;
}
int main() {
	shift<64, true><<<1, 64>>>(nullptr);
	shift<32, false><<<1, 32>>>(nullptr);
}
