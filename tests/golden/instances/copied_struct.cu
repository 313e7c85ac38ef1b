// Sizes in a struct that the host fills and copies are known: only what reads a second struct, whose copies differ, is assumed.
struct params { int width; float gain; };
struct other { int count; };
__global__ void lift(const float *in, float *out, const params *p)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	if (x < p->width)
		out[x] = in[x] * p->gain;
}
__global__ void drop(float *out, const other *q)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	if (x < q->count)
		out[x] = 0;
}
int main()
{
	params h = {1024, 2.0f};
	other o;
	params *p;
	other *q;
	float *a, *b;
	h.width += 1024;
	cudaMalloc(&p, sizeof h);
	cudaMalloc(&q, sizeof o);
	cudaMalloc(&a, 1 << 20);
	cudaMalloc(&b, 1 << 20);
	cudaMemcpy(p, &h, sizeof h, cudaMemcpyHostToDevice);
	lift<<<16, 256>>>(a, b, p);
	for (int i = 0; i < 2; i++) {
		o.count = 100 * i;
		cudaMemcpy(q, &o, sizeof o, cudaMemcpyHostToDevice);
		drop<<<16, 256>>>(b, q);
	}
}
