/*
 * The struct sweep, stream 5: records of 12 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b[2];
};

/* Streams records (several), 1 of the members read, float. */
__global__ void __launch_bounds__(256) stream_5_a(const record *p, float *out, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			k += p[i].b[0] * 3;
			k += p[i].b[1] * 3;
			out[i] = (float)(x + k);
		}
	}
}

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(512) stream_5_b(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].b[0] * 5;
	k += p[i].b[1] * 1;
	p[i].a = (x * 0.5f);
	p[i].b[0] = (int)((k + 1));
	p[i].b[1] = (int)((k + 1));
}

int main()
{
	record *p;
	cudaMalloc(&p, 40084480 * sizeof(record));
	cudaMemset(p, 0, 40084480 * sizeof(record));
	float *out;
	cudaMalloc(&out, 40084480 * sizeof(float));
	cudaMemset(out, 0, 40084480 * sizeof(float));
	stream_5_a<<<399, 256>>>(p, out, 408576);
	stream_5_a<<<3863, 256>>>(p, out, 3954776);
	stream_5_a<<<39145, 256>>>(p, out, 40084480);
	stream_5_b<<<1970, 512>>>(p, 1008640);
	stream_5_b<<<8180, 512>>>(p, 4188128);
	stream_5_b<<<74566, 512>>>(p, 38177792);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
