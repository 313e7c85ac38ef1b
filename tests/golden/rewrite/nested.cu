// Records inside records: one array for each scalar.
#include <stdio.h>
#define N 33

struct vector {
	float x, y;
};
struct body {
	vector position, velocity;
	float mass;
};

__global__ void move(body *bodies, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < N) {
		bodies[i].position.x += dt * bodies[i].velocity.x;
		bodies[i].position.y += dt * bodies[i].velocity.y / bodies[i].mass;
	}
}

int main(void)
{
	static body host[N];
	body *device;

	for (int i = 0; i < N; i++)
		host[i] = body{{(float)i, 0}, {1, 2.0f * i}, 1.0f + i};
	cudaMalloc(&device, N * sizeof(body));
	cudaMemcpy(device, host, N * sizeof(body), cudaMemcpyHostToDevice);
	move<<<2, 32>>>(device, 0.5f);
	cudaMemcpy(host, device, N * sizeof(body), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%g %g %g %g %g\n", host[i].position.x, host[i].position.y, host[i].velocity.x, host[i].velocity.y,
		       host[i].mass);
	cudaFree(device);
	return 0;
}
