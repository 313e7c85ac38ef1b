// Ranks and sizes of cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a) {
	cg::thread_block block = cg::this_thread_block();
	auto grid = cg::this_grid();
	auto tile = cg::tiled_partition<16>(block);
	cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
	a[block.thread_rank()] = 1;
	a[grid.thread_rank()] = 1;
	a[tile.thread_rank()] = tile.size();
	a[tile.meta_group_rank()] = 1;
	a[warp.thread_rank() + warp.meta_group_rank()] = 1;
	a[block.thread_index().x + block.group_index().y + block.group_dim().x] = 1;
	a[grid.num_blocks() + grid.block_rank()] = 1;
	for (int i = grid.thread_rank(); i < 1000; i += grid.size()) a[i] = block.size();
	for (int i = warp.size() / 2; i > 0; i /= 2) warp.shfl_down(1, i);
}
