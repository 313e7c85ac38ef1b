/* Two instances of one template, and one that the profile names without its arguments. */
struct body { float x, y, z, w; };
namespace sim {
template <typename T, int N> __global__ void step(body *b, T dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < N; k++)
		b[i].x += dt * b[i].y;
}
template <typename T> __global__ void scale(body *b, T by) { b[blockIdx.x * blockDim.x + threadIdx.x].z *= by; }
}
int main()
{
	body *b;
	cudaMalloc(&b, sizeof(body) << 20);
	sim::step<float, 1><<<4096, 256>>>(b, 0.5f);
	sim::step<double, 4><<<4096, 256>>>(b, 0.5);
	sim::scale<unsigned int><<<4096, 256>>>(b, 2);
}
