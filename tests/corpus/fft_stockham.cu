// args: 14 256
// Stockham FFT, batches of 2^p points, radix 2, real and imaginary parts in two arrays, ping-pong between buffers.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct { float *re, *im; } planes;

__global__ void stockham_pass(const float *__restrict__ xr, const float *__restrict__ xi, float *__restrict__ yr,
                              float *__restrict__ yi, int n, int half, int s)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	int batch = blockIdx.y;
	if (t >= n / 2)
		return;
	int p = t / s, q = t % s;
	float angle = -2.0f * 3.14159265358979f * p / (2 * half);
	float c, sn;
	__sincosf(angle, &sn, &c);
	size_t base = (size_t)batch * n;
	float ar = xr[base + q + s * p], ai = xi[base + q + s * p];
	float br = xr[base + q + s * (p + half)], bi = xi[base + q + s * (p + half)];
	yr[base + q + s * (2 * p)] = ar + br;
	yi[base + q + s * (2 * p)] = ai + bi;
	float dr = ar - br, di = ai - bi;
	yr[base + q + s * (2 * p + 1)] = dr * c - di * sn;
	yi[base + q + s * (2 * p + 1)] = dr * sn + di * c;
}

static int planes_alloc(planes *p, size_t count)
{
	if (cudaMalloc((void **)&p->re, count * sizeof(float)) != cudaSuccess)
		return -1;
	if (cudaMalloc((void **)&p->im, count * sizeof(float)) != cudaSuccess)
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	int log2n = 10, batches = 64;
	planes a, b, tmp;
	if (argc > 1)
		sscanf(argv[1], "%d", &log2n);
	if (argc > 2)
		sscanf(argv[2], "%d", &batches);
	int n = 1 << log2n;
	size_t count = (size_t)n * batches;
	float *h = (float *)malloc(count * sizeof(float));
	for (size_t i = 0; i < count; i++)
		h[i] = sinf(0.01f * (i % n));
	if (planes_alloc(&a, count) || planes_alloc(&b, count)) {
		fprintf(stderr, "out of device memory\n");
		return 1;
	}
	cudaMemcpy(a.re, h, count * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemset(a.im, 0, count * sizeof(float));
	dim3 block(256), grid((n / 2 + 255) / 256, batches);
	int half = n / 2, s = 1;
	while (half >= 1) {
		stockham_pass<<<grid, block>>>(a.re, a.im, b.re, b.im, n, half, s);
		tmp = a;
		a = b;
		b = tmp;
		half /= 2;
		s *= 2;
	}
	cudaDeviceSynchronize();
	cudaMemcpy(h, a.re, count * sizeof(float), cudaMemcpyDeviceToHost);
	printf("%f\n", h[0]);
	free(h);
	return 0;
}
