// Symbols named by strings.
__constant__ float table[16];
__global__ void k(float *a) { a[threadIdx.x] = table[threadIdx.x]; }
int main() {
	float host[16] = {0};
	cudaMemcpyToSymbol("table", host, sizeof(host));
	cudaMemcpyToSymbol(table, host, sizeof(host));
	k<<<1, 16>>>(0);
}
