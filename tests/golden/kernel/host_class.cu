// Launches from methods, and pointers that are members.
__global__ void k(float *a, int n) { a[threadIdx.x] = n; }
struct solver {
	float *data;
	int n;
	solver() { cudaMalloc(&data, 64); }
	void run() { k<<<4, 64>>>(data, n); }
};
int main() {
	solver s;
	s.run();
}
