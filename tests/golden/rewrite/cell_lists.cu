// Smoothed particle hydrodynamics with cell lists: an index in a record's member, nested records, a class that owns the arrays.
#include <cstdio>
#include <cstring>
#include <cmath>
#include <cuda_runtime.h>

namespace sph {

struct vec2 { float x, y; };
struct Particle {
	vec2 position;
	vec2 velocity;
	float density;
	float pressure;
	int next;
};
struct CellHead { int first; };

constexpr int cells = 8;
constexpr float h = 1.0f;

__global__ void density(Particle *particles, const CellHead *heads, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const vec2 at = particles[i].position;
	float sum = 0.0f;
	const int ci = (int)at.x, cj = (int)at.y;
	for (int dj = -1; dj <= 1; ++dj)
		for (int di = -1; di <= 1; ++di) {
			if (ci + di < 0 || ci + di >= cells || cj + dj < 0 || cj + dj >= cells)
				continue;
			for (int j = heads[(cj + dj) * cells + ci + di].first; j >= 0; j = particles[j].next) {
				const float dx = at.x - particles[j].position.x;
				const float dy = at.y - particles[j].position.y;
				const float q = h * h - dx * dx - dy * dy;
				if (q > 0)
					sum += q * q * q;
			}
		}
	particles[i].density = sum;
	particles[i].pressure = 2.0f * (sum - 1.0f);
}

__global__ void integrate(Particle *__restrict__ particles, int n, float dt)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		Particle p = particles[i];
		p.velocity.y -= 9.81f * dt;
		p.velocity.x += dt * p.pressure / p.density;
		p.position.x += dt * p.velocity.x;
		p.position.y += dt * p.velocity.y;
		particles[i] = p;
	}
}

} // namespace sph

int main()
{
	using namespace sph;
	const int n = 120;
	Particle host[n];
	CellHead heads[cells * cells];
	for (int c = 0; c < cells * cells; ++c)
		heads[c].first = -1;
	for (int i = 0; i < n; ++i) {
		host[i].position = vec2{(i % 15) * 0.5f, (i / 15) * 0.9f};
		host[i].velocity = vec2{0, 0};
		host[i].density = host[i].pressure = 0;
		const int c = (int)host[i].position.y * cells + (int)host[i].position.x;
		host[i].next = heads[c].first;
		heads[c].first = i;
	}
	Particle *particles;
	CellHead *deviceHeads;
	cudaMalloc(&particles, sizeof(host));
	cudaMalloc(&deviceHeads, sizeof(heads));
	cudaMemcpy(particles, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(deviceHeads, heads, sizeof(heads), cudaMemcpyHostToDevice);
	density<<<(n + 63) / 64, 64>>>(particles, deviceHeads, n);
	integrate<<<(n + 63) / 64, 64>>>(particles, n, 0.01f);
	cudaMemcpy(host, particles, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		printf("%g %g %g %g %d\n", host[i].position.x, host[i].velocity.y, host[i].density, host[i].pressure, host[i].next);
	cudaFree(particles);
	cudaFree(deviceHeads);
	return 0;
}
