// N-body with float3 members, helper operators, references and compound assignment of members that are vectors.
#include <cstdio>
#include <cuda_runtime.h>
#define N 70

#define CHECK(call)                                                                     \
	do {                                                                            \
		cudaError_t e_ = (call);                                                \
		if (e_ != cudaSuccess) {                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
			return 1;                                                       \
		}                                                                       \
	} while (0)

struct Body {
	float3 pos;
	float3 vel;
	float mass;
};

__host__ __device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ inline float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ inline float3 &operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; return a; }
__host__ __device__ inline float dot(const float3 &a, const float3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void forces(const Body *__restrict__ in, Body *__restrict__ out, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	const Body me = in[i];
	float3 acc = make_float3(0.f, 0.f, 0.f);
	for (int j = 0; j < n; ++j) {
		const float3 d = in[j].pos - me.pos;
		const float r2 = dot(d, d) + 1e-2f;
		acc += (in[j].mass / (r2 * sqrtf(r2))) * d;
	}
	out[i].vel = in[i].vel + dt * acc;
	out[i].pos = in[i].pos;
	out[i].mass = me.mass;
}

__global__ void drift(Body *b, int n, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		b[i].pos += dt * b[i].vel;
}

int main()
{
	static Body h[N];
	Body *a, *b;
	for (int i = 0; i < N; ++i) {
		h[i].pos = make_float3(i % 7, i % 5, i % 3);
		h[i].vel = make_float3(0, 0.5f, 0);
		h[i].mass = 1.0f + i % 2;
	}
	CHECK(cudaMalloc((void **)&a, sizeof h));
	CHECK(cudaMalloc((void **)&b, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	for (int step = 0; step < 3; ++step) {
		forces<<<(N + 31) / 32, 32>>>(a, b, N, 0.01f);
		drift<<<(N + 31) / 32, 32>>>(b, N, 0.01f);
		Body *t = a; a = b; b = t;
	}
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; ++i)
		printf("%g %g %g %g %g %g %g\n", h[i].pos.x, h[i].pos.y, h[i].pos.z, h[i].vel.x, h[i].vel.y, h[i].vel.z, h[i].mass);
	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	return 0;
}
