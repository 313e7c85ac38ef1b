/*
 * ptxparse: PTX text and machine code -> struct ptx_module -> control flow, loops, unroll factors.
 *
 *   sets.h         the closed sets: types, spaces, operations, units
 *   code.h         what a module holds: functions, instructions, operands, places
 *   text/          PTX text: flex and bison (reentrant, pure), names, declarations, spellings
 *   graph/         graph.h: basic blocks, dominators, natural loops, their counters
 *   sass/          sass.h: machine code, as the same structures
 *   parse, check, dump: the parse as a whole, the verifier of control flow, the stable text form
 *
 * Names begin with ptx_, those of machine code with sass_. Requires nothing but base/. Knows nothing of CUDA source, layouts or
 * machines.
 */
#ifndef COALESCE_PTXPARSE_PTXPARSE_H
#define COALESCE_PTXPARSE_PTXPARSE_H

#include "ptxparse/code.h"
#include "ptxparse/graph/graph.h"
#include "ptxparse/sass/sass.h"

/* ---- parse.c ---- */

/*
 * Parses the text of a PTX file. path names it in diagnostics only. Everything lives in arena. Returns NULL when the
 * text is not PTX or is cut off (an error with its line was reported); an unknown instruction or directive is kept
 * opaque with one warning for its line.
 */
struct ptx_module *ptx_parse(struct arena *arena, const char *path, const char *text, size_t length,
                             struct diagnostics *diagnostics);

/* Sets what is known of variables in constant memory, of PTX text. */
void ptx_fill(struct ptx_module *module, const struct ptx_content *contents, size_t count);

/* ---- dump.c: the stable text form ---- */

/* Kernels, registers, blocks, instructions with places. */
void ptx_dump(struct text *out, const struct ptx_module *module);
/* Blocks with successors, dominators, loops with counter, step, bound. */
void ptx_dump_cfg(struct text *out, const struct ptx_module *module);
/* Memory instructions alone: space, kind, width, vector, place. */
void ptx_dump_memory(struct text *out, const struct ptx_module *module);

#endif
