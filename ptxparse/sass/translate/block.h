/*
 * One block: its instructions (block.c), and its end (leave.c).
 */
#ifndef COALESCE_PTXPARSE_SASS_TRANSLATE_BLOCK_H
#define COALESCE_PTXPARSE_SASS_TRANSLATE_BLOCK_H

#include "ptxparse/sass/value.h"

void sass_block_translate(struct sass_translation *t, struct sass_basic_block *block);
/* Copies what later blocks want into its registers. The condition of the branch that follows is kept. */
void sass_block_leave(struct sass_translation *t, struct sass_basic_block *block, struct sass_value **condition);
/* The instruction that ends the block. */
void sass_block_end(struct sass_translation *t, struct sass_basic_block *block, uint32_t index);
/* A block that falls into one that does not stand next to it. */
void sass_block_fall(struct sass_translation *t, struct sass_basic_block *block, uint32_t self);

#endif
