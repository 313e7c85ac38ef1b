// Functions of the toolkit that work on memory: known copies are accesses, all others are noted.
#include <cuda_pipeline.h>
#include <mma.h>
struct pair { int a, b; };
__global__ void k(const int4 *in, int4 *out, float *f, pair *p, const half *h, int n) {
	__shared__ int4 s[128];
	__pipeline_memcpy_async(&s[threadIdx.x], &in[blockIdx.x * 128 + threadIdx.x], sizeof(int4));
	__pipeline_commit();
	__pipeline_wait_prior(0);
	memcpy(&out[3], &in[4], 16);
	memcpy(f + 4 * n, f, 8);
	memcpy(&p[1], p, sizeof(pair));
	memcpy(p, &p[n], 2 * sizeof(pair));
	memset(&out[n], 0, sizeof(*out));
	memset(f, 0, n);
	int local;
	memcpy(&local, f + n, 4);
	f[local] = 0;
	nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> part;
	nvcuda::wmma::load_matrix_sync(part, h + 16 * n, n);
	printf("%d %p\n", n, f);
	auto [x, y] = p[5];
	f[x] = y;
}
