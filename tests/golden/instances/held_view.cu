// An array of records behind a view that is declared before them; the same view of numbers stays what it is.
template <class T> struct view {
	T *data;
	int count;
	__device__ T *begin() const { return data; }
	__device__ T &operator()(int i) const { return data[i]; }
};
struct rec { double x; float y, z; int id; };

__global__ void push(view<rec> v, view<float> f, float dt)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= v.count)
		return;
	auto &r = v(i);
	r.x += dt * f(i);
	(v.begin() + i)->y = 2;
}

int main(void)
{
	view<rec> v;
	view<float> f;

	v.count = 1 << 20;
	cudaMalloc(&v.data, v.count * sizeof(rec));
	cudaMalloc(&f.data, v.count * sizeof(float));
	push<<<v.count / 256, 256>>>(v, f, 0.1f);
	cudaDeviceSynchronize();
}
