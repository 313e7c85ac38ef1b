// args: -- --count=524288 -block=128
// Options of the form -name=N, whose dashes a loop leaves out.
#include <stdlib.h>
#include <string.h>
__global__ void twice(float *v, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) v[i] = 2 * v[i]; }
static void option(int words, char **word, const char *name, int *value)
{
	for (int w = 1; w < words; w++) {
		const char *text = word[w];
		while (*text == '-')
			text++;
		size_t length = strlen(name);
		if (!strncmp(text, name, length) && text[length] == '=')
			*value = atoi(text + length + 1);
	}
}
int main(int argc, char **argv)
{
	int n = 16384, block = 256;
	option(argc, argv, "count", &n);
	option(argc, argv, "block", &block);
	float *v;
	cudaMalloc(&v, n * sizeof(float));
	twice<<<(n + block - 1) / block, block>>>(v, n);
}
