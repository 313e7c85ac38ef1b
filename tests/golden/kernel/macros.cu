// Macros that spell accesses, indices and loops.
#define INDEX(i, j) ((i) * 64 + (j))
#define AT(array, i) array[i]
#define X(i) p[i].x
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define TID (blockIdx.x * blockDim.x + threadIdx.x)
struct particle { float x, y; };
__global__ void k(particle *p, float *a, int n) {
	FOR(i, n)
		a[INDEX(i, threadIdx.x)] = p[TID].y;
	AT(a, n) = X(3);
	X(n + 1) = 0;
}
