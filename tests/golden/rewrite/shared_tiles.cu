// Tiled N-body through shared memory: whole records copied into a shared array, barriers, ternary copies.
#include <cstdio>
#define N 96
#define BLOCK 32

struct body { float x, y, z, m; };
struct force { float x, y, z; };

__global__ void pull(const body *bodies, force *forces, int n)
{
	__shared__ body tile[BLOCK];
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const body me = i < n ? bodies[i] : body{0, 0, 0, 0};
	force sum = {0, 0, 0};

	for (int base = 0; base < n; base += BLOCK) {
		if (base + threadIdx.x < n)
			tile[threadIdx.x] = bodies[base + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < BLOCK && base + j < n; j++) {
			const body &other = tile[j];
			float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
			float w = other.m / (dx * dx + dy * dy + dz * dz + 0.01f);
			sum.x += w * dx;
			sum.y += w * dy;
			sum.z += w * dz;
		}
		__syncthreads();
	}
	if (i < n)
		forces[i] = sum;
}

int main()
{
	body *bodies;
	force *forces;
	body h[N];
	force f[N];
	for (int i = 0; i < N; i++)
		h[i] = {1.0f * (i % 11), 1.0f * (i % 7), 1.0f * (i % 5), 1.0f};
	cudaMalloc(&bodies, N * sizeof(body));
	cudaMalloc(&forces, N * sizeof(force));
	cudaMemcpy(bodies, h, N * sizeof(body), cudaMemcpyHostToDevice);
	pull<<<N / BLOCK, BLOCK>>>(bodies, forces, N);
	cudaMemcpy(f, forces, N * sizeof(force), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g\n", f[i].x, f[i].y, f[i].z);
	cudaFree(bodies);
	cudaFree(forces);
	return 0;
}
