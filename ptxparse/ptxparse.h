/*
 * ptxparse: PTX text and machine code -> struct ptx_module -> control flow, loops, unroll factors.
 *
 *   code/          code.h: what a module holds (functions, instructions, operands, places); sets.h: the closed
 *                  sets (types, spaces, operations, units)
 *   text/          text.h: PTX text, read by flex and bison (reentrant, pure)
 *   graph/         graph.h: basic blocks, dominators, natural loops, their counters
 *   sass/          sass.h: machine code, as the same structures
 *   dump.c, dump_sass.c  the stable text forms
 *
 * Names begin with ptx_, those of machine code with sass_. Requires nothing but base/. Knows nothing of CUDA source,
 * layouts or machines.
 */
#ifndef COALESCE_PTXPARSE_PTXPARSE_H
#define COALESCE_PTXPARSE_PTXPARSE_H

#include "ptxparse/code/code.h"
#include "ptxparse/graph/graph.h"
#include "ptxparse/sass/sass.h"
#include "ptxparse/text/text.h"

/* ---- dump.c: the stable text form ---- */

/* Kernels, registers, blocks, instructions with places. */
void ptx_dump(struct text *out, const struct ptx_module *module);
/* Blocks with successors, dominators, loops with counter, step, bound. */
void ptx_dump_cfg(struct text *out, const struct ptx_module *module);
/* Memory instructions alone: space, kind, width, vector, place. */
void ptx_dump_memory(struct text *out, const struct ptx_module *module);
/* Machine instructions with their control fields, and the instructions that say what they do. */
void ptx_dump_sass(struct text *out, const struct ptx_module *module);

#endif
