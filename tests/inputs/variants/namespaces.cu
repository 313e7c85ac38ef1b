// Kernels, records and constants in namespaces of the file's own: nested, reopened, inline, without a name, and used from each other.
namespace physics {
namespace units {
constexpr float second = 1.0f;
}
struct body {
	float x, v, m;
};
__device__ inline float drift(const body &b) { return b.v * units::second; }
} // namespace physics

namespace {
__device__ float half(float a) { return 0.5f * a; }

__global__ void move(physics::body *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i].x += half(physics::drift(b[i]));
}
} // namespace

namespace physics {
inline namespace v2 {
__global__ void push(body *b, float force, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i].v += force / b[i].m * units::second;
}
} // namespace v2
} // namespace physics

namespace app = physics;
using physics::body;

__global__ void energy(const body *b, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 0.5f * b[i].m * b[i].v * b[i].v;
}

int main()
{
	const int n = 1 << 20;
	body *b;
	float *out;
	cudaMalloc(&b, n * sizeof(body));
	cudaMalloc(&out, n * sizeof(float));
	move<<<n / 256, 256>>>(b, n);
	app::push<<<n / 256, 256>>>(b, 2.0f, n);
	energy<<<n / 256, 256>>>(b, out, n);
	return 0;
}
