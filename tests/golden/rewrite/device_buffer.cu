// A class template of the program's own holds device memory; a function template sends a vector to the device.
#include <vector>

struct body {
	float x, y, z;
	int id;
};

template <typename T> class DeviceBuffer {
public:
	explicit DeviceBuffer(size_t count) : count_(count)
	{
		cudaMalloc(&data_, count_ * sizeof(T));
	}
	~DeviceBuffer()
	{
		cudaFree(data_);
	}
	DeviceBuffer(const DeviceBuffer &) = delete;
	T *get()
	{
		return data_;
	}
	void upload(const std::vector<T> &from)
	{
		cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
	}

private:
	size_t count_;
	T *data_ = nullptr;
};

template <typename T> T *to_device(const std::vector<T> &from)
{
	T *to = nullptr;

	cudaMalloc(&to, from.size() * sizeof(T));
	cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
	return to;
}

__global__ void drift(const body *in, body *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		out[i].x = in[i].x + 1;
		out[i].y = in[i].y;
		out[i].z = in[i].z;
		out[i].id = in[i].id;
	}
}

int main()
{
	const int n = 4096;
	std::vector<body> host(n);
	DeviceBuffer<body> out(n);
	DeviceBuffer<float> other(n);
	body *in = to_device(host);

	out.upload(host);
	drift<<<(n + 127) / 128, 128>>>(in, out.get(), n);
	cudaFree(in);
	return cudaDeviceSynchronize();
}
