// Rows of records that functions take, of device and host, declared before they are defined; casts at a launch.
#include <stdio.h>
#define N 16
#define ROWS 5

struct cell {
	float mass, speed;
};
typedef struct cell row[N];

__global__ void step(row *p, int n);
__device__ void move(row *p, int y, int x);

__device__ void add(row &r, int x)
{
	r[x].mass += 1;
}

__device__ void move(cell (*p)[N], int y, int x)
{
	p[y][x].speed += p[y][(x + 1) % N].mass;
}

template <int K> __device__ float sum(const cell *line)
{
	float s = 0;

	for (int k = 0; k < K; k++)
		s += line[k].mass;
	return s;
}

__global__ void step(row *p, int n)
{
	int x = threadIdx.x;

	for (int y = 0; y < n; y++)
		move(p, y, x);
	__syncthreads();
	add(p[blockIdx.x], x);
	__syncthreads();
	if (x == 0)
		p[blockIdx.x][0].speed = sum<N>(p[blockIdx.x]);
}

static void run(row *d, int rows)
{
	step<<<1, N>>>(d, rows);
}

int main(void)
{
	cell *flat, host[ROWS * N];
	row *rows;

	for (int i = 0; i < ROWS * N; i++)
		host[i] = cell{i * 0.5f, i * 0.25f};
	cudaMalloc(&flat, sizeof(host));
	cudaMalloc(&rows, sizeof(row) * ROWS);
	cudaMemcpy(flat, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(rows, host, sizeof(host), cudaMemcpyHostToDevice);
	step<<<1, N>>>((row *)flat, ROWS);
	step<<<1, N>>>(reinterpret_cast<cell (*)[N]>(flat), ROWS);
	run(rows, ROWS);
	cudaMemcpy(host, flat, ROWS * N * sizeof(cell), cudaMemcpyDeviceToHost);
	for (int i = 0; i < ROWS * N; i++)
		printf("%g %g\n", host[i].mass, host[i].speed);
	cudaMemcpy(host, rows, ROWS * sizeof(row), cudaMemcpyDeviceToHost);
	for (int i = 0; i < ROWS * N; i++)
		printf("%g %g\n", host[i].mass, host[i].speed);
	cudaFree(flat);
	cudaFree(rows);
	return 0;
}
