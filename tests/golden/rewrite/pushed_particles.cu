// A Boris-like particle push: device functions with record pointers, fields gathered from a second record type.
#include <stdio.h>
#include <stdlib.h>

struct field { float ex, ey, bz; };
struct particle { double x, y; float u, v; short charge; unsigned char alive; };

static __device__ __forceinline__ void gather(const struct field *grid, int nx, double x, double y, float *ex, float *ey, float *bz)
{
	int i = (int)x, j = (int)y;
	const struct field *cell = grid + j * nx + i;
	float fx = (float)(x - i);

	*ex = (1 - fx) * cell->ex + fx * cell[1].ex;
	*ey = (1 - fx) * cell->ey + fx * cell[1].ey;
	*bz = cell->bz;
}

static __device__ void kick(struct particle *p, float ex, float ey, float bz, float dt)
{
	float q = (float)p->charge * dt;
	float u = p->u + q * (ex + p->v * bz);

	p->v += q * (ey - p->u * bz);
	p->u = u;
}

static __device__ void move(struct particle *p, float dt, int nx, int ny)
{
	p->x += dt * p->u;
	p->y += dt * p->v;
	if (p->x < 0 || p->y < 0 || p->x >= nx - 1 || p->y >= ny - 1)
		p->alive = 0;
}

extern "C" __global__ void push(struct particle *particles, const struct field *grid, int count, int nx, int ny, float dt)
{
	for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
		struct particle *p = particles + k;
		float ex, ey, bz;

		if (!p->alive)
			continue;
		gather(grid, nx, p->x, p->y, &ex, &ey, &bz);
		kick(p, ex, ey, bz, dt);
		move(p, dt, nx, ny);
	}
}

int main(void)
{
	enum { COUNT = 150, NX = 16, NY = 12 };
	struct particle *p = (struct particle *)malloc(COUNT * sizeof(*p)), *d_p;
	struct field *g = (struct field *)malloc(NX * NY * sizeof(*g)), *d_g;

	for (int i = 0; i < COUNT; i++) {
		p[i].x = i % 14;
		p[i].y = i % 9;
		p[i].u = 0.25f;
		p[i].v = -0.125f;
		p[i].charge = i % 2 ? 1 : -1;
		p[i].alive = 1;
	}
	for (int i = 0; i < NX * NY; i++)
		g[i] = (struct field){0.5f * (i % 3), 0.25f * (i % 5), 0.125f};
	cudaMalloc(&d_p, COUNT * sizeof(*p));
	cudaMalloc(&d_g, NX * NY * sizeof(*g));
	cudaMemcpy(d_p, p, COUNT * sizeof(*p), cudaMemcpyHostToDevice);
	cudaMemcpy(d_g, g, NX * NY * sizeof(*g), cudaMemcpyHostToDevice);
	for (int t = 0; t < 6; t++)
		push<<<2, 32>>>(d_p, d_g, COUNT, NX, NY, 0.5f);
	cudaMemcpy(p, d_p, COUNT * sizeof(*p), cudaMemcpyDeviceToHost);
	for (int i = 0; i < COUNT; i++)
		printf("%g %g %g %g %d %d\n", p[i].x, p[i].y, p[i].u, p[i].v, p[i].charge, p[i].alive);
	cudaFree(d_p);
	cudaFree(d_g);
	free(p);
	free(g);
	return 0;
}
