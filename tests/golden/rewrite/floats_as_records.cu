// Device memory that is allocated as floats and named again as records, or cast at the launch, as many N-body programs do.
#include <cstdio>
#include <cstdlib>
typedef struct { float x, y, z, vx, vy, vz; } body;
struct spin { float a, b, c; };
__global__ void force(body *p, float dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		for (int j = 0; j < n; j++)
			p[i].vx += dt * (p[j].x - p[i].x), p[i].vy -= dt * p[j].y, p[i].vz += p[j].z * 0.25f;
}
__global__ void turn(spin *s, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		s[i].a += s[i].b * s[i].c + i;
}
int main()
{
	int n = 100;
	int bytes = n * sizeof(body);
	float *buffer = (float *)malloc(bytes), *spins = (float *)calloc(n, sizeof(spin)), sum = 0;
	body *p = (body *)buffer;
	for (int i = 0; i < 6 * n; i++)
		buffer[i] = i % 17;
	float *d_buffer;
	cudaMalloc(&d_buffer, bytes);
	body *d_p = (body *)d_buffer;
	void *d_spins;
	cudaMalloc(&d_spins, n * sizeof(spin));
	cudaMemset(d_spins, 0, n * sizeof(spin));
	for (int step = 0; step < 3; step++) {
		cudaMemcpy(d_buffer, buffer, bytes, cudaMemcpyHostToDevice);
		force<<<(n + 63) / 64, 64>>>(d_p, 0.01f, n);
		cudaMemcpy(buffer, d_buffer, bytes, cudaMemcpyDeviceToHost);
		for (int i = 0; i < n; i++)
			p[i].x += p[i].vx * 0.01f;
		turn<<<(n + 63) / 64, 64>>>((spin *)d_spins, n);
	}
	cudaMemcpy(spins, d_spins, n * sizeof(spin), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += p[i].x + p[i].vy + spins[3 * i];
	printf("%g\n", sum);
	free(buffer);
	free(spins);
	cudaFree(d_buffer);
	cudaFree(d_spins);
	return 0;
}
