// Options read word by word into a record whose members begin with their defaults.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
enum class mode { fast, exact };
struct options {
	int n = 4096, block = 128;
	mode how = mode::fast;
	bool verbose = false;
};
__global__ void fast(float *a, int n) { a[threadIdx.x] = n; }
__global__ void exact(float *a, int n) { a[threadIdx.x] = n; }
static options parse(int argc, char **argv) {
	options found;
	for (int i = 1; i < argc; i++) {
		std::string word = argv[i];
		if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
			found.n = atoi(argv[++i]);
		else if (!strncmp(argv[i], "--block=", 8))
			found.block = atoi(argv[i] + 8);
		else if (word == "--exact")
			found.how = mode::exact;
		else if (argv[i][0] == '-' && argv[i][1] == 'v')
			found.verbose = true;
		else {
			fprintf(stderr, "what is %s?\n", argv[i]);
			exit(EXIT_FAILURE);
		}
	}
	return found;
}
int main(int argc, char **argv) {
	const options o = parse(argc, argv);
	float *a;
	cudaMalloc(&a, o.n * sizeof(float));
	if (o.how == mode::exact)
		exact<<<(o.n + o.block - 1) / o.block, o.block>>>(a, o.n);
	else
		fast<<<(o.n + o.block - 1) / o.block, o.block>>>(a, o.n);
}
