// A template kernel: all its instantiations share one text; the launch names its arguments, since the new parameters may not tell them.
// args: --group in,out
#include <stdio.h>

template <typename T>
__global__ void scale(const T *in, T *out, T factor)
{
	out[threadIdx.x] = in[threadIdx.x] * factor;
}

int main(void)
{
	float host[8], *a, *b;

	for (int i = 0; i < 8; i++)
		host[i] = i;
	cudaMalloc(&a, sizeof(host));
	cudaMalloc(&b, sizeof(host));
	cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
	scale<<<1, 8>>>(a, b, 3.0f);
	cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
	for (int i = 0; i < 8; i++)
		printf("%g\n", host[i]);
	cudaFree(a);
	cudaFree(b);
	return 0;
}
