// Steps, differences and places of rows, of two and three dimensions, beside rows in shared memory.
#include <stdio.h>
#define W 16
#define H 6
struct cell { float mass; int kind; };
typedef cell row[W];
typedef row plane[2];
__device__ float mix(const cell &a, cell b) { return a.mass * 2 + b.kind; }
__device__ void swap_ends(cell *r, int n) { cell t = r[0]; r[0] = r[n - 1]; r[n - 1] = t; }
__global__ void k1(row *p, row const *q, const cell (*__restrict__ s)[W])
{
	unsigned x = threadIdx.x; int y = blockIdx.x;
	row *mid = p + H / 2;
	mid[y - H / 2][x].mass += q[y][x].mass;
	if (y > 0) (*(mid + (y - H / 2)))[x].kind += s[y - 1][x].kind;
	p[y][x].mass += mix(q[y][(x + 1) % W], s[y][x]);
	cell c = p[y][x];
	c.kind ^= 3;
	p[y][x] = c;
	atomicAdd(&p[y][0].kind, 1);
}
__global__ void k2(row *p, int n)
{
	row *end = p + n, *it = p;
	int lines = 0;
	while (it < end) { (*it)[threadIdx.x].kind += lines++; ++it; }
	const row *last = end - 1;
	long d = last - p;
	p[0][threadIdx.x].mass += d;
	it -= n; it += 2; it--;
	(*it++)[threadIdx.x].mass += 1;
	(*it)[threadIdx.x].mass += 2;
}
__global__ void k3(plane *p)
{
	row &r = p[blockIdx.x][threadIdx.y];
	r[threadIdx.x].mass *= 2;
	if (threadIdx.x == 0) { if (threadIdx.y == 0) swap_ends(p[blockIdx.x][1], W); }
}
__global__ void k4(row *p)
{
	__shared__ cell tile[2][W];
	cell (*t)[W] = tile;
	for (int y = 0; y < 2; y++) t[y][threadIdx.x] = p[y][threadIdx.x];
	p[0][threadIdx.x].mass = t[1][threadIdx.x].mass;
	p[1][threadIdx.x].mass = tile[0][threadIdx.x].mass;
}
int main()
{
	cell host[H][W]; row *p, *q, *s;
	for (int i = 0; i < H * W; i++) host[i / W][i % W] = cell{i * 1.f, i * 2};
	cudaMalloc(&p, sizeof(host)); cudaMalloc(&q, H * sizeof(row)); cudaMalloc(&s, H * sizeof(row));
	cudaMemcpy(p, host, sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(q, &host[0][0], sizeof(host), cudaMemcpyHostToDevice);
	cudaMemcpy(s, q, sizeof(row) * H, cudaMemcpyDeviceToDevice);
	k1<<<H, W>>>(p, q, s);
	k2<<<1, W>>>(p, H);
	k3<<<H / 2, dim3(W, 2)>>>((plane *)p);
	k4<<<1, W>>>(p);
	cudaMemcpy(host[0], p, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < H * W; i++) printf("%g %d\n", host[i / W][i % W].mass, host[i / W][i % W].kind);
	cudaFree(p); cudaFree(q); cudaFree(s);
	return 0;
}
