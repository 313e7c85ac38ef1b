// What is read from files or the environment is not known.
#include <cstdio>
#include <cstdlib>
#include <fstream>
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
int main(int argc, char **argv) {
	float *a = nullptr;
	int n = 5, m = 6, p = 7;
	FILE *file = fopen("sizes.txt", "r");
	if (!file || fscanf(file, "%d", &n) != 1)
		return 1;
	std::ifstream stream("sizes.txt");
	stream >> m;
	if (getenv("SIZE"))
		p = atoi(getenv("SIZE"));
	k<<<n, 32>>>(a, m);
	k<<<p, 32>>>(a, m);
}
