/* The brackets of launches may be set apart; what looks like them elsewhere is left alone. */
struct wall {
	int n;
};
static wall &operator<<(wall &w, int n)
{
	w.n += n;
	return w;
}
template <typename T> static wall &operator<< (wall &w, T *p)
{
	return w << (int)sizeof(*p);
}
template <int N> struct half {
	enum { value = N >> 1 };
};

__global__ void fill(float *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		a[i] = 0; /* not << <this> >> > (here) */
}

int main()
{
	const char *text = "k << <1, 2 >> > (a)";
	int n = half<(1 << 12)>::value;
	wall w = {0};
	float *a;

	cudaMalloc(&a, n * sizeof(float));
	w << n << (int)(n >> 2);
	operator<< <float>(w, a);
	fill << <n >> 8, 256 >> > (a, n); fill <<< half<(512 >> 1)>::value, (n > 2) ? 64 : 32 >>  > (a, n);
	fill<<<1, 32>>>(a, n); return text[0] && w.n > 0;
}
