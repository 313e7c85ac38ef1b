// Lambdas in kernels, which name elements of what they capture; records in an unnamed namespace.
namespace {

struct vec {
	float x, y;
};

struct body {
	vec at;
	float mass;
};

__device__ vec operator-(vec a, vec b)
{
	return {a.x - b.x, a.y - b.y};
}

template <typename F> __device__ void each(int n, F &&f)
{
	for (int j = 0; j < n; j++)
		f(j);
}

__global__ void masses(body *bodies, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	vec at = bodies[i].at;
	float sum = 0;

	each(n, [&](int j) {
		vec d = bodies[j].at - at;
		sum += bodies[j].mass * d.x * d.y;
	});
	bodies[i].mass = sum;
}

__global__ void fields(const body *bodies, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	each(n, [&sum, bodies, i](int j) {
		const body &o = bodies[j];
		vec d = o.at - bodies[i].at;
		sum += o.mass / d.x;
	});
	out[i] = sum;
}

} // namespace
