// The host launches until a result comes, which no kernel computes where none runs.
// launch: search 2x1x1 32x1x1 0 200000
// says: the program waits for results of kernels that did not run: it was ended
// flags: --kernel-seconds 0
__global__ void search(int *done)
{
	if (threadIdx.x == 0)
		*done = 1;
}
int main()
{
	int *done, found = 0;
	cudaMalloc(&done, sizeof(int));
	while (!found) {
		search<<<2, 32>>>(done);
		cudaMemcpy(&found, done, sizeof found, cudaMemcpyDeviceToHost);
	}
	return 0;
}
