/*
 * Lattice Boltzmann, D2Q9, single relaxation time (Bhatnagar, Gross, Krook): each cell pulls the nine populations from where they stream in,
 * relaxes them and writes its own. A periodic square of n x n cells.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct populations {
	float rest, east, north, west, south, northeast, northwest, southwest, southeast;
};

__device__ float relaxed(float f, float weight, float density, float along, float square)
{
	float equilibrium = weight * density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * square);
	return f + 1.2f * (equilibrium - f);
}

__global__ void __launch_bounds__(256) collide(const populations *from, populations *to, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= n || y >= n)
		return;
	int left = x > 0 ? x - 1 : n - 1, right = x < n - 1 ? x + 1 : 0, below = y > 0 ? y - 1 : n - 1, above = y < n - 1 ? y + 1 : 0;
	float rest = from[y * n + x].rest, east = from[y * n + left].east, north = from[below * n + x].north, west = from[y * n + right].west;
	float south = from[above * n + x].south, northeast = from[below * n + left].northeast, northwest = from[below * n + right].northwest;
	float southwest = from[above * n + right].southwest, southeast = from[above * n + left].southeast;
	float density = rest + east + north + west + south + northeast + northwest + southwest + southeast;
	float ux = (east + northeast + southeast - west - northwest - southwest) / density;
	float uy = (north + northeast + northwest - south - southwest - southeast) / density;
	float square = ux * ux + uy * uy;
	int i = y * n + x;
	to[i].rest = relaxed(rest, 4.0f / 9.0f, density, 0.0f, square);
	to[i].east = relaxed(east, 1.0f / 9.0f, density, ux, square);
	to[i].north = relaxed(north, 1.0f / 9.0f, density, uy, square);
	to[i].west = relaxed(west, 1.0f / 9.0f, density, -ux, square);
	to[i].south = relaxed(south, 1.0f / 9.0f, density, -uy, square);
	to[i].northeast = relaxed(northeast, 1.0f / 36.0f, density, ux + uy, square);
	to[i].northwest = relaxed(northwest, 1.0f / 36.0f, density, uy - ux, square);
	to[i].southwest = relaxed(southwest, 1.0f / 36.0f, density, -ux - uy, square);
	to[i].southeast = relaxed(southeast, 1.0f / 36.0f, density, ux - uy, square);
}

int main()
{
	populations *a;
	cudaMalloc(&a, (1 << 24) * sizeof(populations));
	cudaMemset(a, 0, (1 << 24) * sizeof(populations));
	populations *b;
	cudaMalloc(&b, (1 << 24) * sizeof(populations));
	cudaMemset(b, 0, (1 << 24) * sizeof(populations));
	collide<<<dim3(12, 48), dim3(32, 8)>>>(a, b, 384);
	collide<<<dim3(32, 128), dim3(32, 8)>>>(a, b, 1024);
	collide<<<dim3(128, 512), dim3(32, 8)>>>(a, b, 4096);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
