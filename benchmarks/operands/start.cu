// What a launch takes by what it finds in the L2: after a flush, launched again, after a copy from the host, after the kernel that made its data.
//
//     nvcc -O3 -arch=sm_90 -o start start.cu && CUDA_INJECTION64_PATH=timeline.so TIMELINE=t.jsonl ./start >labels.txt
//
// Prints a label for each launch; the n-th label is the n-th kernel of the timeline (benchmarks/public/timeline.c). start_table.py joins both.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                                                \
	do {                                                                                                                       \
		cudaError_t error = (call);                                                                                        \
		if (error != cudaSuccess) {                                                                                        \
			fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                             \
			exit(1);                                                                                                   \
		}                                                                                                                  \
	} while (0)

struct record {
	float m[10];
};

__global__ void empty()
{
}

__global__ void flush(float *scratch, size_t count)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (size_t)blockDim.x)
		scratch[i] = (float)i;
}

__global__ void copy_aos(const record *from, record *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		to[i].m[0] = from[i].m[0];
		to[i].m[1] = from[i].m[1];
	}
}

__global__ void copy_soa(const float *a, const float *b, float *c, float *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		c[i] = a[i];
		d[i] = b[i];
	}
}

__global__ void sum_two(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

__global__ void fill(float *a, float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		a[i] = (float)i;
		b[i] = 1.0f;
	}
}

int main()
{
	const size_t scratch_count = 60u << 20, most = 1u << 24;
	float *scratch, *arrays[4];
	record *from, *to;
	std::vector<float> host(2 * most, 1.0f);
	CHECK(cudaMalloc(&scratch, scratch_count * sizeof *scratch));
	CHECK(cudaMalloc(&from, most * sizeof *from));
	CHECK(cudaMalloc(&to, most * sizeof *to));
	CHECK(cudaMemset(from, 0, most * sizeof *from));
	CHECK(cudaMemset(to, 0, most * sizeof *to));
	for (float *&array : arrays) {
		CHECK(cudaMalloc(&array, 2 * most * sizeof *array));
		CHECK(cudaMemset(array, 0, 2 * most * sizeof *array));
	}
	auto flushed = [&] {
		flush<<<1056, 256>>>(scratch, scratch_count);
		printf("flush - 0\n");
		CHECK(cudaDeviceSynchronize());
	};
	auto done = [&](const char *name, const char *state, size_t n) {
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
		printf("%s %s %zu\n", name, state, n);
	};
	for (int blocks : {1, 132, 1056, 8448})
		for (int i = 0; i < 20; i++) {
			empty<<<blocks, 256>>>();
			done("empty", "again", blocks);
		}
	for (int times = 0; times < 5; times++)
		for (size_t n = 1 << 14; n <= most; n *= 2) {
			const unsigned blocks = (unsigned)((n + 255) / 256);
			flushed();
			for (const char *state : {"cold", "second", "third", "fourth"}) {
				copy_aos<<<blocks, 256>>>(from, to, (int)n);
				done("copy_aos", state, n);
			}
			flushed();
			for (const char *state : {"cold", "second", "third", "fourth"}) {
				copy_soa<<<blocks, 256>>>(arrays[0], arrays[1], arrays[2], arrays[3], (int)n);
				done("copy_soa", state, n);
			}
			flushed();
			for (const char *state : {"cold", "second", "third", "fourth"}) {
				sum_two<<<blocks, 256>>>(arrays[0], arrays[1], arrays[2], (int)n);
				done("sum_two", state, n);
			}
			flushed();
			CHECK(cudaMemcpy(arrays[0], host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
			CHECK(cudaMemcpy(arrays[1], host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
			sum_two<<<blocks, 256>>>(arrays[0], arrays[1], arrays[2], (int)n);
			done("sum_two", "copied", n);
			flushed();
			fill<<<blocks, 256>>>(arrays[0], arrays[1], (int)n);
			done("fill", "cold", n);
			sum_two<<<blocks, 256>>>(arrays[0], arrays[1], arrays[2], (int)n);
			done("sum_two", "produced", n);
		}
	return 0;
}
