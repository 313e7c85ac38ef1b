// args: -- --batch=8 --seq=1024
// A function that looks for an option in all words.
#include <cstdlib>
#include <cstring>
__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }
static int option(int argc, char **argv, const char *name, int otherwise)
{
	size_t length = strlen(name);
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
			return atoi(argv[i] + length + 1);
	return otherwise;
}
int main(int argc, char **argv)
{
	float *a;
	int batch = option(argc, argv, "--batch", 4), heads = option(argc, argv, "--heads", 16), seq = option(argc, argv, "--seq", 512);
	cudaMalloc(&a, 1 << 20);
	k<<<batch * heads, 256>>>(a, seq);
}
