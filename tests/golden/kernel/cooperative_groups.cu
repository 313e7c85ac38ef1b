// Cooperative groups: ranks are not known, accesses are.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a) {
	cg::thread_block block = cg::this_thread_block();
	a[threadIdx.x] = 0;
	block.sync();
	a[block.thread_rank()] = 1;
}
