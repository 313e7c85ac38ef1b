// Several instances of two class templates: one text of a kernel, and of a host function, stands for all of them.
#include <cstdio>

template <class T>
struct Particle {
	T x, y, z;
	int hits;
};

template <class T>
struct Complex {
	T re, im;
};

template <class T>
__global__ void advance(Particle<T> *__restrict__ p, const Particle<T> *__restrict__ from, T dt, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i >= n)
		return;
	Particle<T> q = from[i];
	q.x += dt * q.y;
	p[i] = q;
	p[i].hits += 1;
}

template <typename Real>
__global__ void scale(Complex<Real> *values, Real by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		values[i].re *= by;
		values[i].im *= -by;
	}
}

template <class T>
void run(int n, T dt)
{
	Particle<T> *host = new Particle<T>[n];
	Particle<T> *from, *to = nullptr;
	double sum = 0;

	for (int i = 0; i < n; i++)
		host[i] = Particle<T>{T(i), T(2 * i), T(3), i};
	cudaMalloc(&from, n * sizeof(Particle<T>));
	cudaMalloc(&to, n * sizeof(*to));
	cudaMemcpy(from, host, n * sizeof(Particle<T>), cudaMemcpyHostToDevice);
	advance<T><<<(n + 127) / 128, 128>>>(to, from, dt, n);
	cudaMemcpy(host, to, n * sizeof(Particle<T>), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].x + host[i].hits;
	printf("%.9g\n", sum);
	cudaFree(from);
	cudaFree(to);
	delete[] host;
}

int main()
{
	const int n = 100;
	Complex<float> *f, narrow[n];
	Complex<double> *d, wide[n];

	run<float>(n, 0.5f);
	run<double>(n, 0.25);
	for (int i = 0; i < n; i++) {
		narrow[i] = {1.0f * i, 2.0f};
		wide[i] = {1.0, 2.0 * i};
	}
	cudaMalloc(&f, sizeof(narrow));
	cudaMalloc(&d, sizeof(wide));
	cudaMemcpy(f, narrow, sizeof(narrow), cudaMemcpyHostToDevice);
	cudaMemcpy(d, wide, sizeof(wide), cudaMemcpyHostToDevice);
	scale<<<4, 32>>>(f, 2.0f, n);
	scale<double><<<4, 32>>>(d, 3.0, n);
	cudaMemcpy(narrow, f, sizeof(narrow), cudaMemcpyDeviceToHost);
	cudaMemcpy(wide, d, sizeof(wide), cudaMemcpyDeviceToHost);
	printf("%g %g\n", narrow[7].re, wide[9].im);
	cudaFree(f);
	cudaFree(d);
	return 0;
}
