// p[e].m, read and written, in two arrays of one type; comments, strings and other names stay.
// back: p_x,p_y,p_mass
#include <stdio.h>
#define N 77

struct particle {
	float x, y; /* p[i].x */
	float mass;
};

__global__ void step(struct particle *p, const struct particle *__restrict__ q, float x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x; // p[i].x stays here

	if (i < n) {
		p[i].x += q[n - 1 - i].mass * x;
		p[i].y = p[i].x	+ /* spaces */ q[ i ].y;
	}
}

int main(void)
{
	static struct particle a[N], b[N];
	struct particle *p, *q = NULL;

	for (int i = 0; i < N; i++) {
		a[i] = particle{(float)i, 1.0f, 2.0f};
		b[i] = particle{0.5f, (float)i, 3.0f};
	}
	cudaMalloc(&p, N * sizeof(struct particle));
	cudaMalloc((void **)&q, sizeof(*q) * N);
	cudaMemcpy(p, a, sizeof(a), cudaMemcpyHostToDevice);
	cudaMemcpy(q, b, N * sizeof(*q), cudaMemcpyHostToDevice);
	step<<<3, 32>>>(p, q, 2.0f, N);
	cudaMemcpy(a, p, N * sizeof(particle), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g\n", a[i].x, a[i].y, a[i].mass);
	cudaFree(p);
	cudaFree(q);
	return 0;
}
