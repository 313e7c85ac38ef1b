/* Every atomic, fences, and the integer instructions that CUDA has functions for. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, __half2 *h, __nv_bfloat162 *b)
{
	__shared__ int shared[4];
	int t = threadIdx.x;
	i[t] = atomicAdd(i, 1) + atomicSub(i + 1, 2) + atomicExch(i + 2, 3) + atomicMin(i + 3, t) + atomicMax(i + 4, t) +
	       atomicAnd(i + 5, 7) + atomicOr(i + 6, t) + atomicXor(i + 7, t) + atomicCAS(i + 8, t, 4);
	u[t] = atomicInc(u, 5) + atomicDec(u + 1, 7);
	l[t] = atomicAdd(l, 3) + atomicCAS(l + 1, 2ull, 3ull) + atomicExch(l + 2, 4ull) + atomicMax(l + 3, 4ull);
	f[t] = atomicAdd(f, 1.0f);
	d[t] = atomicAdd(d, 1.0);
	atomicAdd(h, h[t]);
	atomicAdd(b, b[t]);
	atomicAdd_block(i, 1);
	atomicAdd_system(i, 1);
	__threadfence();
	__threadfence_block();
	__threadfence_system();
	atomicAdd(shared + (t & 3), 1);
	__syncthreads();
	i[t] += shared[0];
}

__global__ void integers(int *i, long long *l)
{
	int t = threadIdx.x;
	i[t] = __popc(t) + __clz(t) + __ffs(t) + __brev(t) + __byte_perm(t, 3, 0x1234) + __funnelshift_l(t, 3, 4) +
	       __funnelshift_rc(t, 3, 4) + __sad(t, 1, 2) + __mulhi(t, 4) + __umul24(t, 4) + __dp4a(t, 3, 4) + __vadd2(t, 3) +
	       __vabsdiffu4(t, 5) + __vcmpgts2(t, 4) + __fns(t, 1, 2);
	l[t] = __mul64hi(l[t], l[t + 1]) / 7 + __popcll(l[3]) % l[2] + clock64();
}
