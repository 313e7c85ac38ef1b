// What holds the memory is also asked how much it is: that is not followed.
// incomplete: refused
#include <vector>

struct body {
	float x, y;
};

template <typename T> struct Buffer {
	T *data;
	size_t count;
	explicit Buffer(size_t n) : data(nullptr), count(n)
	{
		cudaMalloc(&data, sizeof(T) * count);
	}
	void download(std::vector<T> &to) const
	{
		cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
	}
};

__global__ void drift(body *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].x += p[i].y;
}

int main()
{
	const int n = 4096;
	Buffer<body> p(n);

	drift<<<(n + 127) / 128, 128>>>(p.data, n);
	size_t count = p.count;
	return count != n;
}
