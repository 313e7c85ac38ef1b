// Numbers of rows that macros spell without parentheses.
#include <stdio.h>
#define WIDTH 8
#define NEXT y + 1
#define EITHER x & 4 | 1
#define LAST 2 + 3

struct cell {
	float mass;
	int kind;
};

__global__ void step(cell (*p)[WIDTH], const cell (*q)[WIDTH])
{
	int y = blockIdx.x, x = threadIdx.x;

	p[y][x].mass += q[NEXT][EITHER].mass + q[LAST][x].mass;
	p[y][x].kind += (q + (LAST))[0][x].kind;
}

int main(void)
{
	static cell host[6][WIDTH];
	cell(*p)[WIDTH], (*q)[WIDTH];

	for (int y = 0; y < 6; y++)
		for (int x = 0; x < WIDTH; x++)
			host[y][x] = cell{y * 0.5f + x, x * y};
	cudaMalloc(&p, sizeof(host));
	cudaMalloc(&q, sizeof(host));
	cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(q, host, sizeof(host), cudaMemcpyHostToDevice);
	step<<<5, WIDTH>>>(p, q);
	cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost);
	for (int y = 0; y < 6; y++)
		for (int x = 0; x < WIDTH; x++)
			printf("%g %d\n", host[y][x].mass, host[y][x].kind);
	cudaFree(p);
	cudaFree(q);
	return 0;
}
