// Rows of rows: indices of signed and unsigned numbers, references to planes, managed memory that the host indexes, too.
#include <stdio.h>
#define X 8
#define Y 4
#define Z 3

struct cell {
	float mass;
	int kind;
};

__global__ void step(cell (*p)[Y][X], const cell q[][Y][X])
{
	unsigned x = threadIdx.x, y = threadIdx.y;
	int z = blockIdx.x;
	cell(&plane)[Y][X] = p[z];
	const auto &line = q[z][y];

	plane[y][x].mass += line[x].mass + q[Z - 1 - z][Y - 1 - y][x].kind;
	if (z > 0)
		p[z][y][x].kind += (q + z)[-1][y][x].kind;
	cell(*lines)[X] = p[z];
	atomicAdd(&lines[y][0].kind, 1);
	(*lines)[x].mass *= 2;
}

int main(void)
{
	cell(*p)[Y][X];
	cell(*q)[Y][X] = NULL;

	cudaMallocManaged(&p, sizeof(cell[Y][X]) * Z);
	cudaMallocManaged(&q, Z * sizeof(cell) * Y * X);
	for (int z = 0; z < Z; z++)
		for (int y = 0; y < Y; y++)
			for (int x = 0; x < X; x++) {
				p[z][y][x].mass = z + y * 0.5f;
				p[z][y][x].kind = x;
				q[z][y][x].mass = x * 0.25f;
				q[z][y][x].kind = z * y;
			}
	step<<<Z, dim3(X, Y)>>>(p, q);
	cudaDeviceSynchronize();
	for (int z = 0; z < Z; z++)
		for (int y = 0; y < Y; y++)
			for (int x = 0; x < X; x++)
				printf("%g %d\n", p[z][y][x].mass, p[z][y][x].kind);
	cudaFree(p);
	cudaFree(q);
	return 0;
}
