// Rows of records by a typedef: indices, aliases and references of rows, steps, sizes.
#include <stdio.h>
#define WIDTH 24
#define HEIGHT 6

struct cell {
	float mass, speed;
	int kind;
};
typedef cell row[WIDTH];

__global__ void push(row *p, const row *__restrict__ q, float dt)
{
	int x = threadIdx.x, y = blockIdx.x;

	p[y][x].mass += q[y][x].speed * dt;
	(*(p + y))[x].kind = q[HEIGHT - 1 - y][WIDTH - 1 - x].kind;
}

__global__ void alias(row *p, const row *q)
{
	cell *r = p[blockIdx.x];
	const row *next = q + blockIdx.x;
	row &same = p[blockIdx.x];

	if (blockIdx.x > 0)
		r[threadIdx.x].speed += next[-1][threadIdx.x].mass;
	same[threadIdx.x].kind++;
}

__global__ void column(row *p, const row *q)
{
	float sum = 0;

	for (int y = 0; y < HEIGHT; y++, q++)
		sum += (*q)[threadIdx.x].mass;
	p[0][threadIdx.x].speed = sum + (float)sizeof(p[0]) / sizeof(row);
	p += 1;
	(*p)[threadIdx.x] = p[-1][threadIdx.x];
}

int main(void)
{
	static cell host[HEIGHT][WIDTH];
	row *p, *q;

	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			host[y][x] = cell{0.5f * x + y, 0.25f * y, x * y};
	cudaMalloc(&p, sizeof(row) * HEIGHT);
	cudaMalloc((void **)&q, HEIGHT * sizeof(*q));
	cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(q, host, sizeof(row) * HEIGHT, cudaMemcpyHostToDevice);
	push<<<HEIGHT, WIDTH>>>(p, q, 0.5f);
	alias<<<HEIGHT, WIDTH>>>(p, q);
	column<<<1, WIDTH>>>(p, q);
	cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost);
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			printf("%g %g %d\n", host[y][x].mass, host[y][x].speed, host[y][x].kind);
	cudaFree(p);
	cudaFree(q);
	return 0;
}
