// Lattice Boltzmann D2Q9: a member array indexed by a loop variable, constant tables, two buffers swapped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NX 20
#define NY 13
#define Q 9

typedef struct {
	float f[Q];
	int solid;
} Cell;

__constant__ int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weight[Q] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int opposite[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__global__ void step(const Cell *src, Cell *dst, int nx, int ny, float omega)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= nx || y >= ny)
		return;
	int id = y * nx + x;
	float f[Q], rho = 0, ux = 0, uy = 0;

	for (int k = 0; k < Q; k++) {
		int xs = (x - cx[k] + nx) % nx, ys = (y - cy[k] + ny) % ny;
		f[k] = src[ys * nx + xs].f[k];
		rho += f[k];
		ux += f[k] * cx[k];
		uy += f[k] * cy[k];
	}
	ux /= rho;
	uy /= rho;
	if (src[id].solid) {
		for (int k = 0; k < Q; k++)
			dst[id].f[k] = f[opposite[k]];
	} else {
#pragma unroll
		for (int k = 0; k < Q; k++) {
			float cu = 3 * (cx[k] * ux + cy[k] * uy);
			float eq = rho * weight[k] * (1 + cu + 0.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
			dst[id].f[k] = f[k] + omega * (eq - f[k]);
		}
	}
	dst[id].solid = src[id].solid;
}

int main(int argc, char **argv)
{
	size_t bytes = NX * NY * sizeof(Cell);
	Cell *host = (Cell *)malloc(bytes), *d_a, *d_b;
	(void)argc; (void)argv;

	for (int i = 0; i < NX * NY; i++) {
		for (int k = 0; k < Q; k++)
			host[i].f[k] = 0.1f + 0.001f * ((i * 7 + k * 3) % 11);
		host[i].solid = i % 17 == 0;
	}
	cudaMalloc((void **)&d_a, bytes);
	cudaMalloc((void **)&d_b, bytes);
	cudaMemcpy(d_a, host, bytes, cudaMemcpyHostToDevice);
	dim3 block(8, 4), grid((NX + 7) / 8, (NY + 3) / 4);
	for (int t = 0; t < 4; t++) {
		step<<<grid, block>>>(d_a, d_b, NX, NY, 1.2f);
		Cell *swap = d_a;
		d_a = d_b;
		d_b = swap;
	}
	cudaMemcpy(host, d_a, bytes, cudaMemcpyDeviceToHost);
	for (int i = 0; i < NX * NY; i += 3)
		printf("%d: %g %g %g %d\n", i, host[i].f[0], host[i].f[4], host[i].f[8], host[i].solid);
	cudaFree(d_a);
	cudaFree(d_b);
	free(host);
	return 0;
}
