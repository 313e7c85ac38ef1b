// args: -- --width 1280 --height 960
// Options in a map that begins with what they are without words.
#include <cstdlib>
#include <map>
#include <string>
__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }
int main(int argc, char **argv)
{
	std::map<std::string, int> options{{"--width", 640}, {"--height", 480}, {"--levels", 3}};
	std::map<int, int> blocks = {{3, 128}};
	for (int i = 1; i + 1 < argc; i += 2)
		options[argv[i]] = std::atoi(argv[i + 1]);
	float *a;
	cudaMalloc(&a, 1 << 24);
	blocks[4] = 256;
	if (options.count("--levels"))
		k<<<options["--width"], blocks[4]>>>(a, options.at("--height"));
	k<<<options["--levels"], blocks[3]>>>(a, options["--other"]);
}
