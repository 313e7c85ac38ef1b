// args: -- "65536 777" data.txt
// Numbers read from words by a stream; a file is taken to be there, and what stands in it is not known.
#include <fstream>
#include <sstream>
#include <string>
#include <cstdio>
__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }
static int lines(const char *path)
{
	std::ifstream file(path);
	if (!file || !file.is_open())
		return -1;
	std::string line;
	int n = 0;
	while (std::getline(file, line))
		n++;
	return n;
}
static int bytes(const char *path)
{
	FILE *file = fopen(path, "r");
	if (!file)
		return -1;
	int n = 0;
	while (fgetc(file) != EOF)
		n++;
	fclose(file);
	return n;
}
int main(int argc, char **argv)
{
	float *a;
	int n = 0, m = 0;
	cudaMalloc(&a, 1 << 20);
	std::istringstream in(argv[1]);
	in >> n >> m;
	k<<<n / 256, 256>>>(a, m);
	k<<<lines(argv[2]), 256>>>(a, 1);
	k<<<bytes(argv[2]), 256>>>(a, 2);
}
