// Options are read in a helper function; an index array is filled by the host.
// run: -n 100000 -s 5
// launch: scale 391x1x1 256x1x1 0 1
// launch: gather 782x1x1 128x1x1 0 5
// launch: scale 391x1x1 256x1x1 0 1
// launch: scale 391x1x1 256x1x1 0 1
// launch: scale 391x1x1 256x1x1 0 1
// launch: scale 391x1x1 256x1x1 0 1
// says: --observe ran this program on the CPU
#include <cstdlib>
__global__ void scale(float *x, float f, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] *= f;
}
__global__ void gather(const int *index, const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = x[index[i]];
}
static int option(char **words, char name, int usual)
{
	for (; *words; words++) {
		const char *word = *words;
		while (*word == '-')
			word++;
		if (word != *words && *word == name)
			return atoi(words[1]);
	}
	return usual;
}
int main(int argc, char **argv)
{
	int n = option(argv + 1, 'n', 1024), steps = option(argv + 1, 's', 3), *index, *host = (int *)malloc(n * sizeof(int));
	float *x, *y;
	for (int i = 0; i < n; i++)
		host[i] = (int)(7LL * i % n);
	cudaMalloc(&x, n * sizeof(float));
	cudaMalloc(&y, n * sizeof(float));
	cudaMalloc(&index, n * sizeof(int));
	cudaMemcpy(index, host, n * sizeof(int), cudaMemcpyHostToDevice);
	for (int s = 0; s < steps; s++) {
		scale<<<(n + 255) / 256, 256>>>(x, 0.5f * s, n);
		gather<<<(n + 127) / 128, 128>>>(index, x, y, n);
	}
	return cudaDeviceSynchronize();
}
