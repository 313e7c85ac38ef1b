// Kernels and functions that are values: tables of kernels, std::function, lambdas that time what they are given.
#include <functional>
#include <vector>
typedef void (*kernel)(float *, int);
__global__ void one(float *a, int n) { a[threadIdx.x] = n; }
__global__ void two(float *a, int n) { a[threadIdx.x] = n + n; }
struct entry {
	const char *name;
	kernel function;
	int block;
};
static entry table[] = {{"one", one, 64}, {"two", two, 128}};
static float measure(std::function<void()> run, int warm, int count) {
	std::vector<float> times;
	for (int i = 0; i < warm; i++)
		run();
	for (int i = 0; i < count; i++) {
		run();
		times.push_back(0);
	}
	return times[times.size() / 2];
}
template <class F> void repeat(F &&f, int count) {
	while (count-- > 0)
		f(count);
}
static int square(int n) { return n * n; }
int main() {
	float *a;
	cudaMalloc(&a, 1024);
	for (int i = 0; i < 2; i++)
		table[i].function<<<1000 / table[i].block, table[i].block>>>(a, i);
	for (auto &e : table)
		e.function<<<2, e.block>>>(a, 5);
	for (int block = 64; block <= 256; block *= 2) {
		int blocks = 1024 / block;
		measure([=] { one<<<blocks, block>>>(a, 6); }, 2, 10);
	}
	repeat([&](int left) { two<<<1, 32>>>(a, left); }, 4);
	int (*f)(int) = square;
	one<<<f(3), 7>>>(a, 0);
}
