// Device memory behind helper functions, in classes, swapped in a loop over time; error checks as macros.
#include <cstdio>
#include <cstdlib>
#include <utility>
#define CHECK(call) \
	do { \
		cudaError_t status = (call); \
		if (status != cudaSuccess) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
			exit(EXIT_FAILURE); \
		} \
	} while (0)
template <class T> class buffer {
public:
	explicit buffer(size_t n) : size_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
	~buffer() { cudaFree(data_); }
	T *data() { return data_; }
	size_t size() const { return size_; }
	void swap(buffer &other) {
		std::swap(data_, other.data_);
		std::swap(size_, other.size_);
	}

private:
	T *data_ = nullptr;
	size_t size_ = 0;
};
template <typename T> T *allocate(size_t n) {
	T *made = nullptr;
	CHECK(cudaMalloc((void **)&made, n * sizeof(T)));
	return made;
}
template <typename T> void allocate_into(T **where, size_t n) { CHECK(cudaMalloc(where, n * sizeof(T))); }
__global__ void k(const double *a, double *b, int n) { b[threadIdx.x] = a[threadIdx.x] + n; }
template <typename F, typename... A> void launch(F f, int n, A... arguments) { f<<<(n + 63) / 64, 64>>>(arguments...); }
int main() {
	buffer<double> now(500), next(600);
	double *a = allocate<double>(700), *b;
	allocate_into(&b, 800);
	for (int t = 0; t < 4; t++) {
		k<<<3, 50>>>(now.data(), next.data(), t);
		now.swap(next);
	}
	for (double time = 0; time < 1; time += 0.25) {
		k<<<5, 60>>>(a, b, 1);
		std::swap(a, b);
	}
	launch(k, 1000, (const double *)a, b, 1000);
	float *rows;
	size_t pitch;
	CHECK(cudaMallocPitch(&rows, &pitch, 100 * sizeof(float), 30));
	k<<<1, 1>>>(a, b, pitch / sizeof(float));
}
