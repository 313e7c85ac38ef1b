// Records with constructors are read by a function: no list in braces makes one.
#include <cstdio>
#include <cstdlib>

struct Vec {
	float x, y, z;
	__host__ __device__ Vec() : x(0), y(0), z(0) {}
	__host__ __device__ Vec(float a, float b, float c) : x(a), y(b), z(c) {}
	__host__ __device__ Vec operator+(const Vec &o) const { return Vec(x + o.x, y + o.y, z + o.z); }
	__host__ __device__ Vec &operator*=(float f)
	{
		x *= f;
		y *= f;
		z *= f;
		return *this;
	}
	__host__ __device__ float dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Body {
	Vec position, velocity;
	float mass;
};

__global__ void add(Vec *a, const Vec *b, float *lengths, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		Vec v = b[i];
		a[i] = a[i] + v;
		a[i] *= 0.5f;
		lengths[i] = a[i].dot(b[i]);
	}
}

__global__ void drift(Body *bodies, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		Vec v = bodies[i].velocity;
		bodies[i].position = bodies[i].position + v;
		bodies[i].velocity *= bodies[i].mass;
	}
}

int main()
{
	const int n = 100;
	Vec *a, *b, *host = (Vec *)malloc(n * sizeof(Vec));
	Body *bodies, *bodies_host = (Body *)malloc(n * sizeof(Body));
	float *lengths, lengths_host[n];
	double sum = 0;

	for (int i = 0; i < n; i++) {
		host[i] = Vec(i, i * 0.5f, 1);
		bodies_host[i].position = Vec(1, 2, i);
		bodies_host[i].velocity = Vec(i * 0.25f, 1, 0);
		bodies_host[i].mass = i;
	}
	cudaMalloc(&a, n * sizeof(Vec));
	cudaMalloc(&b, n * sizeof(Vec));
	cudaMalloc(&bodies, n * sizeof(Body));
	cudaMalloc(&lengths, n * sizeof(float));
	cudaMemcpy(a, host, n * sizeof(Vec), cudaMemcpyHostToDevice);
	cudaMemcpy(b, host, n * sizeof(Vec), cudaMemcpyHostToDevice);
	cudaMemcpy(bodies, bodies_host, n * sizeof(Body), cudaMemcpyHostToDevice);
	add<<<4, 32>>>(a, b, lengths, n);
	drift<<<4, 32>>>(bodies, n);
	cudaMemcpy(host, a, n * sizeof(Vec), cudaMemcpyDeviceToHost);
	cudaMemcpy(bodies_host, bodies, n * sizeof(Body), cudaMemcpyDeviceToHost);
	cudaMemcpy(lengths_host, lengths, n * sizeof(float), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].x + host[i].y + host[i].z + lengths_host[i] + bodies_host[i].position.x + bodies_host[i].velocity.x;
	printf("%g\n", sum);
	cudaFree(a);
	cudaFree(b);
	cudaFree(bodies);
	cudaFree(lengths);
	free(host);
	free(bodies_host);
	return 0;
}
