// Launches from lambdas of the host: called in the file, kept for later, and from a method.
#include <functional>
__global__ void k(int *a, int n) { a[threadIdx.x] = n; }
struct runner {
	int blocks;
	runner(int blocks) : blocks(blocks) {}
	void run(int *a) { k<<<blocks, 32>>>(a, 9); }
};
int main() {
	int *a = 0, n = 5;
	cudaMalloc(&a, 64);
	auto direct = [&](int m) { k<<<m, 64>>>(a, n); };
	direct(3);
	std::function<void(int)> later = [=](int m) { k<<<m, 128>>>(a, n); };
	later(7);
	runner r(4);
	r.run(a);
}
