/* Calls of all kinds, recursion, virtual functions, records by value, switches, jumps, loops, assertions, the heap. */
#include <cassert>
#include <cstdio>

struct large {
	double m[40];
	int n;
};
struct base {
	__device__ virtual float f(float) = 0;
};
struct plus : base {
	__device__ float f(float x) { return x + 1; }
};
struct times : base {
	__device__ float f(float x) { return x * 3; }
};

__constant__ float constants[4] = {1, 2, 3, 4};
__device__ int table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
__device__ float *pointer = (float *)table;
__device__ __noinline__ float increment(float x) { return x + 1; }
__device__ __noinline__ float twice(float x) { return x * 2; }
__device__ float (*functions[2])(float) = {increment, twice};
__device__ __noinline__ large changed(large l, int i)
{
	l.m[i] = 3;
	return l;
}
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void __launch_bounds__(128, 4) calls(large in, large *out, int n, float *o)
{
	plus p;
	times t;
	base *b = n & 1 ? (base *)&p : (base *)&t;
	out[threadIdx.x] = changed(in, n);
	assert(n > 3);
	int *heap = (int *)malloc(4 * n);
	heap[0] = fibonacci(n);
	o[0] = functions[n & 1](o[1]) + b->f(o[2]) + constants[n & 3] + pointer[n] + heap[0];
	free(heap);
	printf("%d %f\n", n, o[0]);
	if (n == 77)
		__trap();
}

__global__ void jumps(int n, char *c, short *s, long long *l, unsigned char *u)
{
	for (int i = n; i > 0; i--)
		for (int j = 0; j < i; j += 3)
			s[i] += c[j] * u[i];
	switch (n) {
	case 0: c[1] = 2; break;
	case 1: c[1] = 4; break;
	case 2: c[2] = 9; break;
	case 3: c[6] = 1; break;
	case 4: c[7] = 3; break;
	case 5: c[9] = 1; break;
	case 6: c[2] = 1; break;
	case 7: c[4] = 5; break;
	}
	int i = 0;
	do {
		i += n;
		if (c[i] == 7)
			continue;
		if (c[i] == 9)
			break;
		c[i] = i;
	} while (i < 1000);
	while (l[i] != 3)
		i = (int)l[i];
	goto middle;
back:
	c[3]++;
middle:
	c[4]++;
	if (c[4] < n)
		goto back;
	memcpy(c, u, n);
	memset(c + n, 0, 64);
}

__global__ void functions_of_the_library(double *q, float *w)
{
	q[0] = sin(q[1]) * pow(q[2], q[3]) + exp(q[4]) + log(q[4]) + tgamma(q[5]) + sqrt(q[6]) + rsqrt(q[7]) + fmod(q[8], 3.0);
	w[0] = powf(w[1], 3) + tanhf(w[2]) + __expf(w[3]) + __fdividef(w[4], 3) + copysignf(w[5], 1) + ldexpf(w[6], 2) +
	       isnan(w[7]) + rintf(w[8]) + (int)w[9] + (unsigned)q[9] + (long long)q[8];
}
