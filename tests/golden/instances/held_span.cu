// Spans of records with operator[] and at(), to be changed and to be read; two pointers of one declaration; local pointers made of a member.
struct rec { float x, y, z, vx, vy, vz; };
template <typename T> class span {
	T *data_;
	size_t size_;
public:
	__host__ __device__ span(T *d, size_t n) : data_(d), size_(n) {}
	__device__ T &operator[](size_t i) const { return data_[i]; }
	__device__ T &at(size_t i) const { return data_[i]; }
	__device__ size_t size() const { return size_; }
};
struct arguments { rec *from, *to; double *weights; int count; };

__global__ void move(span<rec> out, span<const rec> in, float dt)
{
	size_t i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= out.size())
		return;
	const rec &r = in[i];
	out[i].x = r.x + r.vx * dt;
	out.at(i).y = in.at(i).y;
}

__global__ void weigh(arguments a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	const rec *from = a.from;
	rec *to = a.to + 1;

	if (i >= a.count - 1)
		return;
	to[i].z = from[i].z * a.weights[i];
	rec copy = from[i];
	copy.x = 0;
	a.to[i] = copy;
}

int main(void)
{
	int n = 1 << 20;
	rec *p, *q;
	arguments a;

	cudaMalloc(&p, n * sizeof(rec));
	cudaMalloc(&q, n * sizeof(rec));
	move<<<n / 256, 256>>>(span<rec>(p, n), span<const rec>(q, n), 0.1f);
	a.from = p;
	a.to = q;
	a.count = n;
	cudaMalloc(&a.weights, n * sizeof(double));
	weigh<<<n / 256, 256>>>(a);
	cudaDeviceSynchronize();
}
