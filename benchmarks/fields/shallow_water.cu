/*
 * Shallow water over a bed, by the scheme of Lax and Friedrichs: height and momenta of n x n cells from those of the four neighbours.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct water {
	float height, mx, my, bed;
};

__global__ void __launch_bounds__(256) advance(const water *from, water *to, float ratio, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
		return;
	int i = y * n + x, w = i - 1, e = i + 1, s = i - n, t = i + n;
	float hw = from[w].height, he = from[e].height, hs = from[s].height, ht = from[t].height;
	float uw = from[w].mx, ue = from[e].mx, us = from[s].mx, ut = from[t].mx, vw = from[w].my, ve = from[e].my, vs = from[s].my, vt = from[t].my;
	float slope_x = from[e].bed - from[w].bed, slope_y = from[t].bed - from[s].bed, height = 0.25f * (hw + he + hs + ht);
	to[i].height = height - 0.5f * ratio * (ue - uw + vt - vs);
	to[i].mx = 0.25f * (uw + ue + us + ut) - 0.5f * ratio * (ue * ue / he + 4.905f * he * he - uw * uw / hw - 4.905f * hw * hw + ut * vt / ht - us * vs / hs) -
	           4.905f * ratio * height * slope_x;
	to[i].my = 0.25f * (vw + ve + vs + vt) - 0.5f * ratio * (vt * vt / ht + 4.905f * ht * ht - vs * vs / hs - 4.905f * hs * hs + ue * ve / he - uw * vw / hw) -
	           4.905f * ratio * height * slope_y;
	to[i].bed = from[i].bed;
}

int main()
{
	water *a;
	cudaMalloc(&a, (1 << 24) * sizeof(water));
	cudaMemset(a, 0, (1 << 24) * sizeof(water));
	water *b;
	cudaMalloc(&b, (1 << 24) * sizeof(water));
	cudaMemset(b, 0, (1 << 24) * sizeof(water));
	advance<<<dim3(16, 64), dim3(32, 8)>>>(a, b, 0.05f, 512);
	advance<<<dim3(48, 192), dim3(32, 8)>>>(a, b, 0.05f, 1536);
	advance<<<dim3(128, 512), dim3(32, 8)>>>(a, b, 0.05f, 4096);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
