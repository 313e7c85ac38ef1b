// Atomics are sampled from the PTX where there is no machine code.
struct bin { float sum; int count; };
__global__ void add(const int *key, bin *bins, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		atomicAdd(&bins[key[i]].sum, 1.0f);
		atomicAdd(&bins[i % 64].count, 1);
	}
}
void launch(const int *key, bin *bins) { add<<<64, 128>>>(key, bins, 8192); }
