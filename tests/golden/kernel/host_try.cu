// What is thrown is not looked at; what a handler sets counts where the block leaves it unknown.
#include <stdexcept>
#include <string>
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
int main(int argc, char **argv) {
	float *a = nullptr;
	int n, m = 3, block = 32;
	if (argc > 9)
		return 1;
	try {
		n = std::stoi(argv[1]);
		block = 64;
	} catch (const std::invalid_argument &) {
		n = 1024;
	} catch (...) {
		return 2;
	}
	k<<<n / block, block>>>(a, n);
	try {
		if (n < 0)
			throw std::runtime_error("negative");
		k<<<4, 96>>>(a, m);
	} catch (const std::exception &) {
		m = 4;
	}
	k<<<5, 96>>>(a, m);
}
