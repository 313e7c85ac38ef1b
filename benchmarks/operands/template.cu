/*
 * A loop whose instructions variants.py replaces: which registers the operands are in, what is kept for reuse, how long the warp waits, and which of the
 * instructions it is. nvcc decides such things itself; the machine code has to be changed.
 *
 * The body is BODY additions of floats, eight accumulators in turn: whatever comes into their place may use the registers from FIRST on (the long list of values keeps
 * them from any other use); with ADDRESSES one of them is an address in shared memory. The other kernels are there for the encodings of their instructions alone.
 */
struct span {
	long long start, stop;
};

static __device__ __forceinline__ long long cycle_counter()
{
	long long value;
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
	return value;
}

#define VALUES 48
/* Instructions of the body; variants.py makes templates of several lengths. */
#ifndef BODY
#define BODY 256
#endif

extern "C" __global__ void __launch_bounds__(1024, 1) timed(span *spans, float *sink, float x, int rounds)
{
	float v[VALUES];
	long long start = 0;
#pragma unroll
	for (int i = 0; i < VALUES; i++)
		v[i] = x + (float)i;
#ifdef ADDRESSES
	v[40] = __int_as_float(threadIdx.x & 0x7c);
#endif
	__syncthreads();
	__syncthreads();
	start = cycle_counter();
#pragma unroll 1
	for (int r = 0; r < rounds; r++)
#pragma unroll
		for (int i = 0; i < BODY; i++)
			asm volatile("add.f32 %0, %0, %1;" : "+f"(v[i % VALUES]) : "f"(v[(i + 1) % VALUES]));
	long long stop = cycle_counter();
	if (threadIdx.x % 32 == 0)
		spans[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = span{start, stop};
	float sum = 0;
#pragma unroll
	for (int i = 0; i < VALUES; i++)
		sum += v[i];
	sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

extern "C" __global__ void samples_of_encodings(float *f, int *n, double *d, unsigned *h, float x)
{
	int i = threadIdx.x;
	float a = f[i], b = f[i + 32], c = f[i + 64];
	int k = n[i], l = n[i + 32], m = n[i + 64];
	double p = d[i], q = d[i + 32], r = d[i + 64];
	unsigned s = h[i], t = h[i + 32], u = h[i + 64];
	asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(a) : "f"(a), "f"(b), "f"(c));
	asm volatile("add.f32 %0, %1, %2;" : "=f"(b) : "f"(a), "f"(b));
	asm volatile("mul.f32 %0, %1, %2;" : "=f"(c) : "f"(b), "f"(c));
	asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(c));
	asm volatile("mad.lo.s32 %0, %1, %2, %3;" : "=r"(k) : "r"(k), "r"(l), "r"(m));
	asm volatile("{.reg .s32 t; add.s32 t, %1, %2; add.s32 %0, t, %3;}" : "=r"(l) : "r"(k), "r"(l), "r"(m));
	asm volatile("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(m) : "r"(k), "r"(l), "r"(m));
	asm volatile("fma.rn.f64 %0, %1, %2, %3;" : "=d"(p) : "d"(p), "d"(q), "d"(r));
	asm volatile("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(s) : "r"(s), "r"(t), "r"(u));
	asm volatile("mad.wide.s32 %0, %1, %2, %3;" : "=l"(*(long long *)&q) : "r"(k), "r"(l), "l"(*(long long *)&q));
	f[i] = a + b + c + x;
	n[i] = k + l + m;
	d[i] = p + q + r;
	h[i] = s + t + u;
}
