/*
 * Webs: the IR registers that hold what a key is at the start and the end of a block.
 */
#include "ptxparse/sass/translate/translate.h"

uint32_t sass_web_in(const struct sass_translation *t, const struct sass_basic_block *block, uint16_t key)
{
	if (!sass_set_holds(block->wanted_in, key))
		bug("a value that was not wanted is read: key %u", (unsigned)key);
	return t->web_register[block->first_web_in + sass_set_rank(block->wanted_in, key)];
}

uint32_t sass_web_out(const struct sass_translation *t, const struct sass_basic_block *block, uint16_t key)
{
	if (t->dry)
		return 0;
	return t->web_register[block->first_web_out + sass_set_rank(block->wanted_out, key)];
}
