template <class F> __global__ void apply(float *q, F f)
{
	q[threadIdx.x] = f(threadIdx.x);
}
int main()
{
	float *q;
	cudaMalloc(&q, 128);
	apply<<<1, 32>>>(q, [=] __device__(auto i) { return i * 3.0f; });
}
