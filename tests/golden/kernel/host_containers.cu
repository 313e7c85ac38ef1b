// Containers of which the number of elements decides, and loops over ranges.
#include <array>
#include <string>
#include <vector>
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
static void run(int n) {
	float *a;
	cudaMalloc(&a, n * sizeof(float));
	k<<<(n + 31) / 32, 32>>>(a, n);
}
int main() {
	std::vector<float> h(1000), copy = h;
	std::vector<int> sizes = {64, 128}, grown;
	std::array<int, 5> fixed;
	float *a;
	h.resize(2000);
	cudaMalloc(&a, h.size() * sizeof(float));
	k<<<h.size() / 8, 8>>>(a, (int)copy.size());
	for (int i = 0; i < 6; i++)
		grown.push_back(100 * i);
	k<<<(int)grown.size(), 16>>>(a, grown[5] + grown.back());
	k<<<(int)fixed.size(), 24>>>(a, sizes[1]);
	run(sizes[0]);
	for (int n : sizes)
		run(2 * n);
	for (int n : {96, 97})
		run(n);
	int plain[] = {192, 224, 256};
	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (plain[i] == 224)
			run(plain[i]);
	sizes[1] = 7;
	run(sizes[1]);
	grown.clear();
	k<<<1, grown.empty() ? 48 : 1>>>(a, 0);
}
