/* Cooperative groups, barriers in shared memory, asynchronous copies, scoped atomics. */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void groups(float *a, float *o)
{
	extern __shared__ float s[];
	__shared__ cuda::barrier<cuda::thread_scope_block> barrier;
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	auto eight = cg::tiled_partition<8>(block);
	cg::memcpy_async(block, s, a, sizeof(float) * 128);
	cg::wait(block);
	float x = cg::reduce(warp, s[threadIdx.x], cg::plus<float>());
	int m = cg::reduce(eight, (int)x, cg::greater<int>());
	if (cg::coalesced_threads().thread_rank() == 0)
		o[blockIdx.x] = x + m + warp.match_any(m) + warp.ballot(x > 1) + warp.shfl_down(x, 1);
	if (threadIdx.x == 0)
		init(&barrier, blockDim.x);
	__syncthreads();
	barrier.wait(barrier.arrive());
	cuda::atomic_ref<int, cuda::thread_scope_device> counter(((int *)o)[3]);
	counter.fetch_add(3, cuda::memory_order_acq_rel);
	o[4] = counter.load(cuda::memory_order_acquire);
	cg::this_grid().sync();
}
