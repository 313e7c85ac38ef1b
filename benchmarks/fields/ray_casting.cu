/*
 * Rays against spheres: each ray tests all of them and keeps the nearest hit, with the normal there.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct sphere {
	float x, y, z, radius;
	unsigned char red, green, blue, shine;
};

struct ray {
	float ox, oy, oz, dx, dy, dz, distance;
	int hit;
};

__global__ void __launch_bounds__(128) cast(ray *rays, const sphere *spheres, int count, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float ox = rays[i].ox, oy = rays[i].oy, oz = rays[i].oz, dx = rays[i].dx, dy = rays[i].dy, dz = rays[i].dz, nearest = 1e30f;
	int hit = -1;
	for (int s = 0; s < count; s++) {
		float x = spheres[s].x - ox, y = spheres[s].y - oy, z = spheres[s].z - oz, r = spheres[s].radius;
		float along = x * dx + y * dy + z * dz, inside = along * along - (x * x + y * y + z * z) + r * r;
		if (inside > 0.0f) {
			float distance = along - sqrtf(inside);
			if (distance > 0.0f && distance < nearest) {
				nearest = distance;
				hit = s;
			}
		}
	}
	rays[i].distance = nearest;
	rays[i].hit = hit;
}

__global__ void __launch_bounds__(256) shade(const ray *rays, const sphere *spheres, float *brightness, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int s = rays[i].hit & 255;
	float d = rays[i].distance;
	float nx = rays[i].ox + d * rays[i].dx - spheres[s].x, ny = rays[i].oy + d * rays[i].dy - spheres[s].y;
	float light = (0.6f * nx + 0.8f * ny) / spheres[s].radius;
	brightness[i] = fmaxf(light, 0.0f) * (float)(spheres[s].red + spheres[s].green + spheres[s].blue) + (float)spheres[s].shine;
}

int main()
{
	ray *rays;
	cudaMalloc(&rays, (1 << 23) * sizeof(ray));
	cudaMemset(rays, 0, (1 << 23) * sizeof(ray));
	sphere *spheres;
	cudaMalloc(&spheres, 1024 * sizeof(sphere));
	cudaMemset(spheres, 0, 1024 * sizeof(sphere));
	float *brightness;
	cudaMalloc(&brightness, (1 << 23) * sizeof(float));
	cudaMemset(brightness, 0, (1 << 23) * sizeof(float));
	cast<<<512, 128>>>(rays, spheres, 256, 65536);
	cast<<<4096, 128>>>(rays, spheres, 1024, 524288);
	cast<<<32768, 128>>>(rays, spheres, 256, 4194304);
	shade<<<1024, 256>>>(rays, spheres, brightness, 262144);
	shade<<<8192, 256>>>(rays, spheres, brightness, 2097152);
	shade<<<32768, 256>>>(rays, spheres, brightness, 8388608);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
