// The same where the host fills it, with numbers that no index depends on.
struct tap { float weight; int offset; };
struct sample { float re, im; };
__constant__ tap taps[4];
__global__ void filter(const sample *in, sample *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 32 || i >= n - 32)
		return;
	float re = 0, im = 0;
#pragma unroll
	for (int t = 0; t < 4; t++) {
		re += taps[t].weight * in[i].re;
		im += taps[t].weight * in[i].im;
	}
	out[i].re = re;
	out[i].im = im;
}
int main()
{
	sample *in, *out;
	tap host[4];
	for (int t = 0; t < 4; t++)
		host[t].weight = 1.0f / (t + 1), host[t].offset = t - 2;
	cudaMalloc(&in, sizeof(sample) << 20);
	cudaMalloc(&out, sizeof(sample) << 20);
	cudaMemcpyToSymbol(taps, host, sizeof host);
	filter<<<4096, 256>>>(in, out, 1 << 20);
}
