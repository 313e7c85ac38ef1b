// A constant of a class, and one of a namespace, defined behind the code that reads them.
struct limits {
	static const int blocks;
};
namespace config {
extern const int threads;
}

__global__ void fill(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }

int main()
{
	float *p;
	cudaMalloc(&p, limits::blocks * config::threads * sizeof(float));
	fill<<<limits::blocks, config::threads>>>(p);
}

const int limits::blocks = 96;
const int config::threads = 192;
