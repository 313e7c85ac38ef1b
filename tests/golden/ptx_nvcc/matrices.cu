/* Matrices, and instructions that only inline assembly gives: loops with labels in scopes of their own, bulk copies. */
#include <cuda_fp8.h>
#include <mma.h>

using namespace nvcuda;

__global__ void multiply(half *a, half *b, float *c, __nv_fp8_e4m3 *e)
{
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> z;
	wmma::fill_fragment(z, 0.0f);
	for (int i = 0; i < 8; i++) {
		wmma::load_matrix_sync(x, a + i * 16, 128);
		wmma::load_matrix_sync(y, b + i * 16, 128);
		wmma::mma_sync(z, x, y, z);
	}
	wmma::store_matrix_sync(c, z, 128, wmma::mem_row_major);
	c[0] += (float)e[1];
	e[2] = __nv_fp8_e4m3(c[3]);
}

__global__ void assembly(float *o, half *a)
{
	__shared__ half s[1024];
	__shared__ unsigned long long barrier;
	unsigned r[4], at = __cvta_generic_to_shared(s + threadIdx.x * 8), b = __cvta_generic_to_shared(&barrier);
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.commit_group;\ncp.async.wait_group 0;" ::"r"(at), "l"(a));
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
	             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
	             : "r"(at));
#if __CUDA_ARCH__ >= 900
	asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
	for (int phase = 0; phase < 2; phase++)
		asm volatile("{\n .reg .pred done;\n WAIT:\n mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
		             " @done bra DONE;\n bra WAIT;\n DONE:\n }" ::"r"(b),
		             "r"(phase));
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(4096));
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(at),
	             "l"(a), "r"(b), "r"(0), "r"(1));
	asm volatile("{ .reg .pred q; elect.sync _|q, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(r[0]));
	asm volatile("wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
#endif
	o[threadIdx.x] = r[0] + r[1] + r[2] + r[3] + b;
}
