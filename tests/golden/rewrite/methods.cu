// Records with methods and operators: read through a copy, changed through one and written back.
#include <stdio.h>
#define N 50

struct vec {
	float x, y, z;
	__host__ __device__ float dot(const vec &o) const { return x * o.x + y * o.y + z * o.z; }
	__host__ __device__ vec &operator+=(const vec &o) { x += o.x; y += o.y; z += o.z; return *this; }
	__host__ __device__ vec operator*(float s) const { return vec{x * s, y * s, z * s}; }
	__host__ __device__ void normalize() { float l = 1.0f / sqrtf(dot(*this)); x *= l; y *= l; z *= l; }
};
struct ray { vec origin, direction; float t; };

__global__ void advance(ray *rays, vec *hits, float *lengths, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	rays[i].direction.normalize();
	hits[i] += rays[i].direction * rays[i].t;
	lengths[i] = hits[i].dot(hits[i]) + rays[i].origin.dot(rays[i].direction);
	rays[i].origin += hits[i];
}

int main(void)
{
	ray rays[N], *d_rays;
	vec hits[N], *d_hits;
	float lengths[N], *d_lengths;

	for (int i = 0; i < N; i++) {
		rays[i] = ray{{(float)i, 1, 2}, {1, (float)(i % 3), 0.5f}, 0.25f * i};
		hits[i] = vec{(float)i, 0, 1};
	}
	cudaMalloc(&d_rays, N * sizeof(ray));
	cudaMalloc(&d_hits, N * sizeof(vec));
	cudaMalloc(&d_lengths, N * sizeof(float));
	cudaMemcpy(d_rays, rays, N * sizeof(ray), cudaMemcpyHostToDevice);
	cudaMemcpy(d_hits, hits, N * sizeof(vec), cudaMemcpyHostToDevice);
	advance<<<2, 32>>>(d_rays, d_hits, d_lengths, N);
	cudaMemcpy(rays, d_rays, N * sizeof(ray), cudaMemcpyDeviceToHost);
	cudaMemcpy(hits, d_hits, N * sizeof(vec), cudaMemcpyDeviceToHost);
	cudaMemcpy(lengths, d_lengths, N * sizeof(float), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %g %g\n", rays[i].direction.x, rays[i].origin.y, hits[i].x, hits[i].z, lengths[i]);
	cudaFree(d_rays);
	cudaFree(d_hits);
	cudaFree(d_lengths);
	return 0;
}
