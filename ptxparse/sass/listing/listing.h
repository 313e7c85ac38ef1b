/*
 * A cubin's instructions by another disassembler: the JSON that `nvdisasm -json -g` prints, and the text of its
 * operands.
 */
#ifndef COALESCE_PTXPARSE_SASS_LISTING_LISTING_H
#define COALESCE_PTXPARSE_SASS_LISTING_LISTING_H

#include "ptxparse/sass/insn.h"
#include "ptxparse/sass/cubin/cubin.h"

/* Reads the JSON; fills places of the module. Returns NULL, or why it is not a listing. */
const char *listing_read_all(struct ptx_module *module, const struct cubin *cubin, const char *json, size_t length,
                             struct sass_listings *listings);
/* Splits and reads the text of an instruction's operands. R2[R4]: two, as nvdisasm 13.2 prints them. */
void listing_operands_read(struct arena *arena, const char *text, struct sass_insn *insn);
/* "P0", "!UP1": a predicate, into guard. Returns false where it is none. */
bool listing_guard_read(const char *text, struct sass_insn *insn);

#endif
