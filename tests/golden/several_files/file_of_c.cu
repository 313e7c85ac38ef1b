/* A file of C beside it, with definitions that C++ does not take, and the same in another. */
extern "C" int count(int);
struct cell { float a, b; };
__global__ void step(cell *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	c[i].a += c[i].b;
}
extern "C" void run(int n)
{
	cell *c;

	cudaMalloc(&c, n * sizeof(cell));
	step<<<n / 256, 256>>>(c);
}
