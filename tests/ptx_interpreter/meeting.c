/* Immediate post-dominators, by taking away one block after another and looking whether the exit can still be reached.
 */
#include "tests/ptx_interpreter/interpreter.h"

#include <string.h>

struct search {
	const struct ptx_function *function;
	bool *seen;
};

static bool ends(const struct ptx_function *function, uint32_t block)
{
	const struct ptx_basic_block *of = &function->cfg->blocks[block];
	const struct ptx_insn *last = &function->insns[of->first + of->count - 1];
	unsigned flags = ptx_insn_flags(last);

	if (flags & FLAG_EXIT)
		return true;
	return block + 1 == function->cfg->block_count && (!(flags & FLAG_BRANCH) || last->guarded);
}

/* Whether the exit can be reached from a block without coming through `without`. */
static bool reaches_exit(struct search *search, uint32_t block, uint32_t without)
{
	const struct ptx_basic_block *of;

	if (block == PTX_NO_BASIC_BLOCK || block == without || search->seen[block])
		return false;
	search->seen[block] = true;
	if (ends(search->function, block))
		return true;
	of = &search->function->cfg->blocks[block];
	for (uint32_t i = 0; i < of->target_count; i++)
		if (reaches_exit(search, of->targets[i], without))
			return true;
	return reaches_exit(search, of->successors[0], without) || reaches_exit(search, of->successors[1], without);
}

static bool is_behind(struct search *search, uint32_t block, uint32_t other)
{
	memset(search->seen, 0, search->function->cfg->block_count);
	return !reaches_exit(search, block, other);
}

uint32_t *interpreter_meeting_points(struct arena *arena, const struct ptx_function *function)
{
	uint32_t count = function->cfg->block_count;
	uint32_t *meets = arena_array(arena, count + 1, sizeof(*meets));
	struct search search = {function, arena_array(arena, count + 1, sizeof(bool))};

	for (uint32_t block = 0; block < count; block++) {
		meets[block] = PTX_NO_BASIC_BLOCK;
		if (is_behind(&search, block, PTX_NO_BASIC_BLOCK))
			continue;
		for (uint32_t other = 0; other < count; other++) {
			if (other == block || !is_behind(&search, block, other))
				continue;
			if (meets[block] == PTX_NO_BASIC_BLOCK || is_behind(&search, other, meets[block]))
				meets[block] = other;
		}
	}
	return meets;
}
