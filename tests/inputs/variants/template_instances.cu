// Several instances of one template, by type, by number, and of one that another instantiates.
struct sample {
	float value, weight, time;
};

template <typename T> __device__ T weighted(const sample &s) { return T(s.value) * T(s.weight); }

template <typename T, int STEPS> __global__ void sum(const sample *s, T *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T total = 0;
	for (int k = 0; k < STEPS && i + k < n; k++)
		total += weighted<T>(s[i + k]);
	if (i < n)
		out[i] = total;
}

template <typename T> __global__ void scale(sample *s, T factor, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		s[i].value *= factor;
}

template <typename T> void run(int n)
{
	sample *s;
	T *out;
	cudaMalloc(&s, n * sizeof(sample));
	cudaMalloc(&out, n * sizeof(T));
	sum<T, 4><<<n / 256, 256>>>(s, out, n);
	sum<T, 8><<<n / 256, 256>>>(s, out, n);
	scale<T><<<n / 256, 256>>>(s, T(2), n);
}

int main()
{
	run<float>(1 << 20);
	run<double>(1 << 20);
	return 0;
}
