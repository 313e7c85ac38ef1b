// args: -- size=64 it=3
#include <cstring>
#include <cstdlib>
#include <cstdio>
struct Config { int size; int iterations; float courant; };
__global__ void k(float *p, int n) { p[threadIdx.x] = n; }
static bool rd(const char *text, const char *name, int *value)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != '=') return false;
    *value = atoi(text + length + 1);
    return true;
}
int main(int argc, char **argv)
{
	Config config = {3, 4, 0.5f};
	float *p;
	cudaMalloc(&p, 4096);
	for (int a = 1; a < argc; a++)
		if (!rd(argv[a], "size", &config.size) && !rd(argv[a], "it", &config.iterations)) {
			fprintf(stderr, "unknown: %s", argv[a]);
			return 1;
		}
	for (int i = 0; i < config.iterations; i++)
		k<<<1, config.size>>>(p, 3);
}
