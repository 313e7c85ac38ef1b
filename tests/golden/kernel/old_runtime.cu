// Calls of the runtime that were removed still parse.
__global__ void k(float *a) { a[threadIdx.x] = 0; }
int main() {
	float *a;
	cudaMalloc((void **)&a, 64);
	cudaThreadSetCacheConfig(cudaFuncCachePreferL1);
	k<<<1, 16>>>(a);
	cudaThreadSynchronize();
	cudaThreadExit();
}
