// #pragma unroll, with and without a number.
__global__ void k(float *a, int n) {
#pragma unroll
	for (int i = 0; i < 4; i++)
		a[i] = 0;
#pragma unroll 8
	for (int i = 0; i < n; i++)
		a[i] = 1;
#pragma unroll(2)
	for (int i = 0; i < n; i++)
		a[i] = 2;
#pragma unroll 1
	while (n-- > 0)
		a[n] = 3;
}
#define TIMES 6
__global__ void named(float *a, int n) {
	constexpr int factor = 3;
#pragma unroll TIMES
	for (int i = 0; i < n; i++)
		a[i] = 0;
#pragma unroll factor
	for (int i = 0; i < n; i++)
		a[i] = 1;
}
