// Launch dimensions: numbers, dim3 variables, members, braces, casts.
#define BLOCK 128
__global__ void k(float *a) { a[threadIdx.x] = 0; }
int main() {
	float *a;
	cudaMalloc(&a, 4096);
	dim3 block(32, 8), grid;
	grid.x = 7;
	grid.y = block.x / 4;
	k<<<1, BLOCK>>>(a);
	k<<<grid, block>>>(a);
	k<<<dim3(2, 3, 4), dim3(8)>>>(a);
	k<<<dim3{5, 6, 1}, block.x * block.y>>>(a);
	const dim3 small = {16, 2, 1};
	k<<<1, small, 1024 * sizeof(float)>>>(a);
	k<<<1, small, 0, 0>>>(a);
	k<<<(unsigned)(2.5 * 4), 64u>>>(a);
}
