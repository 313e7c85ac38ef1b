/*
 * The matrix Q of magnetic resonance image reconstruction (Stone and others): for each voxel a sum over all samples of the trajectory, of sines and cosines.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct sample {
	float kx, ky, kz, magnitude;
};

struct voxel {
	float x, y, z, real, imaginary;
};

__global__ void __launch_bounds__(256) sum_q(voxel *voxels, const sample *samples, int count, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = voxels[i].x, y = voxels[i].y, z = voxels[i].z, real = 0.0f, imaginary = 0.0f;
	for (int s = 0; s < count; s++) {
		float angle = 6.2831853f * (samples[s].kx * x + samples[s].ky * y + samples[s].kz * z);
		real += samples[s].magnitude * __cosf(angle);
		imaginary += samples[s].magnitude * __sinf(angle);
	}
	voxels[i].real = real;
	voxels[i].imaginary = imaginary;
}

int main()
{
	voxel *voxels;
	cudaMalloc(&voxels, (1 << 21) * sizeof(voxel));
	cudaMemset(voxels, 0, (1 << 21) * sizeof(voxel));
	sample *samples;
	cudaMalloc(&samples, 8192 * sizeof(sample));
	cudaMemset(samples, 0, 8192 * sizeof(sample));
	sum_q<<<64, 256>>>(voxels, samples, 1024, 16384);
	sum_q<<<512, 256>>>(voxels, samples, 4096, 131072);
	sum_q<<<8192, 256>>>(voxels, samples, 512, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
