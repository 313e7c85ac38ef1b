// Records with member arrays as wholes: arrays of records, arrays of arrays, handed to functions and macros.
#include <stdio.h>
#define N 41
#define WEIGHT(p, k) ((p)->w[k] * 2)

struct vec {
	float x, y;
};

struct face {
	vec corner[3];
	int id;
};

struct state {
	float m[2][3];
	float w[4];
	int hits;
};

__device__ float sum(const float *values, int n)
{
	float total = 0;

	for (int k = 0; k < n; k++)
		total += values[k];
	return total;
}

__global__ void faces_make(face *faces, const state *states, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	face f = {{{1, 2.0f * i}, {3, 4}, {0.5f * i, 6}}, i};

	if (i >= N)
		return;
	for (int k = 0; k < 3; k++)
		f.corner[k].x += dt * k;
	f.id += states[i].hits;
	faces[i] = f;
}

__global__ void faces_use(face *faces, state *states)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= N)
		return;
	vec v = faces[i].corner[(i + 1) % 3];
	faces[i].corner[i % 3] = vec{v.y, v.x};
	face f = faces[i];
	states[i].w[2] = f.corner[0].x + 2 * f.corner[1].y + 3 * f.corner[2].x;
	states[i].hits += f.id;
}

__global__ void states_step(state *states, const state *old)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= N)
		return;
	state s = old[i];
	state *p = &states[i];
	for (int k = 0; k < 3; k++)
		s.m[1][k] += p->m[0][k] + WEIGHT(&old[i], k);
	s.w[1] = sum(old[i].w, 4) + sum(p->w, 2);
	states[i] = s;
	p->hits += 2;
}

int main(void)
{
	static state host[N];
	face *faces;
	state *states, *old;

	for (int i = 0; i < N; i++)
		host[i] = state{{{1, 2, 3}, {4, 5, 0.25f * i}}, {1, 0.5f * i, 2, 3}, i};
	cudaMalloc(&faces, N * sizeof(face));
	cudaMalloc(&states, sizeof(host));
	cudaMalloc(&old, sizeof(host));
	cudaMemcpy(states, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(old, host, sizeof(host), cudaMemcpyHostToDevice);
	states_step<<<2, 32>>>(states, old);
	faces_make<<<2, 32>>>(faces, states, 0.5f);
	faces_use<<<2, 32>>>(faces, states);
	cudaMemcpy(host, states, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %g %g %d\n", host[i].m[1][0], host[i].m[1][1], host[i].m[1][2], host[i].w[1], host[i].w[2], host[i].hits);
	cudaFree(faces);
	cudaFree(states);
	cudaFree(old);
	return 0;
}
