// A class template of the program's own holds device memory; a function template sends a vector to the device.
#include <cstdio>
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

__global__ void drift(const body *held, body *moved, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		moved[i].x += held[i].x + 1;
		moved[i].y = held[i].y;
		moved[i].z += held[i].z;
		moved[i].id = 2 * held[i].id;
	}
}

int main()
{
	const int n = 100;
	std::vector<body> host(n);

	for (int i = 0; i < n; i++)
		host[i] = body{(float)i, 2.0f * i, 3.0f * i, i};
	DeviceBuffer<body> held(n);
	DeviceBuffer<float> other(n);
	body *moved = to_device(host);

	held.upload(host);
	drift<<<(n + 31) / 32, 32>>>(held.get(), moved, n);
	cudaMemcpy(host.data(), moved, n * sizeof(body), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i += 9)
		printf("%g %g %g %d\n", host[i].x, host[i].y, host[i].z, host[i].id);
	cudaFree(moved);
	return 0;
}
