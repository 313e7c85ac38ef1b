// args: 131072
#include <cstdlib>
#include <cstdio>
#include "point_cloud_transform_types.h"

__global__ void transform(const Point *in, Point *out, Pose pose, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		Point p = in[i];
		out[i].x = pose.m[0] * p.x + pose.m[1] * p.y + pose.m[2] * p.z + pose.m[3];
		out[i].y = pose.m[4] * p.x + pose.m[5] * p.y + pose.m[6] * p.z + pose.m[7];
		out[i].z = pose.m[8] * p.x + pose.m[9] * p.y + pose.m[10] * p.z + pose.m[11];
		out[i].intensity = p.intensity;
	}
}

template <class T> static T *device_alloc(size_t count)
{
	void *p = nullptr;
	if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess)
		abort();
	return static_cast<T *>(p);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 65536;
	auto *in = device_alloc<Point>(n);
	auto *out = device_alloc<Point>(n);
	transform<<<(n + 255) / 256, 256>>>(in, out, Pose(), n);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	return 0;
}
