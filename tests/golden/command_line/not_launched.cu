// args: -- 3
// Of the instances, those that this command line does not launch; of functions, those that nobody calls.
#include <cstdlib>
template <int R> __global__ void blur(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = R * a[i]; }
__global__ void other(float *a) { a[threadIdx.x] = 0; }
__global__ void passed(float *a) { a[threadIdx.x] = 1; }
static void nobody(float *a) { other<<<1, 32>>>(a); }
static void worker(float *a) { passed<<<1, 32>>>(a); }
static void start(void (*function)(float *), float *a);
template <int R> void run(float *a, int n) { blur<R><<<n / 256, 256>>>(a, n); }
int main(int argc, char **argv)
{
	float *a;
	cudaMalloc(&a, 1 << 20);
	switch (atoi(argv[1])) {
	case 1: run<1>(a, 4096); break;
	case 2: run<2>(a, 4096); break;
	case 3: run<3>(a, 4096); break;
	}
	start(worker, a);
}
