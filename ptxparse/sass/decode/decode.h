/*
 * The decoder of machine instructions: 128 bits -> struct sass_insn, as nvdisasm would print it.
 *
 * All architectures since sm_70 share the frame: opcode and operand form in bits 0 to 11, guard in 12 to 15,
 * destination from 16, sources from 24, 32 and 64, control from 105. What stands between is a row for each opcode and
 * form:
 *
 *   integer.def, real.def, memory.def, control.def
 *             FORM(first, last, code, name, modifiers, operands): for which architectures, and what the instruction is
 * made of tables.def, words.def TABLE(name, texts...): modifiers and operands that are a choice of texts, by the value
 * of their field
 *
 * A row's two texts are read when the first instruction of that form is met (form.c). `modifiers` are words, in the
 * order of printing: `.LUT` always; `X@74` where bit 74 is set; `!W@75` where it is not; `round@78-79`,
 * `width@73+75-76`: a table and the bits of its field, lowest first; `product`: what IMAD is also called; `@U`: its
 * guard is a uniform predicate. `operands` are words too:
 *
 *   R24 U24 P81 Q81 B16 S16   register, uniform register, predicate, uniform predicate, barrier, scoreboard at that bit
 *   p64 q87                   predicate and uniform predicate, their numbers' bits inverted
 *   I72.8 J40.24 K64-66+72-76 integer of so many bits: unsigned, signed, unsigned in pieces
 *   F32 D32 H32               floating-point immediate: single, upper half of a double, half or bfloat
 *   T24-27:table NPR          a choice of texts, always the same text
 *   G32                       descriptor of a matrix in shared memory, in a uniform register
 *   C32 E24                   constant bank, by words or bytes; with bit 91 of a uniform register at that bit
 *   L24 l24.37                constant bank indexed by a register, a uniform register; where the offset begins, 38 else
 *   Y34.48 y34.48 Z34.48 W24  branch target: relative, without a low part, absolute; relative in bytes
 *   [r24u32/91w90x78d76i40.24] an address: register, uniform register (there where bit 91 is), .64 against .U32, scale,
 *                             descriptor, offset
 *
 * after which may come -72 (negated), ~72 (complement), -72~74 (complement where bit 74 is set, else negated), |73
 * (absolute), !90 (not), *122 (reuse), :table@74-75 (a suffix); and before which ? (left out when it is PT or RZ), ??
 * (when it is !PT), =f? (when the field is that number), 74? or !74? (there only where the bit is so; two may stand
 * together), 74&? (and so), 74|? (or so).
 *
 * A form that no row describes, or a field value that its table lacks, gives an instruction without an entry in
 * sass.def: its opcode is shown with a question mark, and what it writes is not known.
 *
 * A new opcode: one row for each of its forms in the file of its kind (any of the four; its neighbours show the usual
 * operands), which nvdisasm's output for real code and for changed bits confirms: tests/tools/sass_compare.c holds the
 * two against each other, and the listings in tests/inputs/sass are kept for test_ptxparse_decode. What it computes is
 * a row of handlers/sass.def.
 */
#ifndef COALESCE_PTXPARSE_SASS_DECODE_DECODE_H
#define COALESCE_PTXPARSE_SASS_DECODE_DECODE_H

#include "ptxparse/sass/insn.h"

struct decode;
struct cubin;

/* A decoder for code of an architecture (75, 90, ...); what it makes lives in the arena. */
struct decode *decode_open(struct arena *arena, unsigned architecture);
/* Decodes the 16 bytes at code, which stand at the address in their section. Returns false where the form is not known.
 */
bool decode_insn(struct decode *decode, const uint8_t *code, uint32_t address, struct sass_insn *insn);
/* All code of a cubin; fills places of the module. Returns NULL, or why it cannot be read. */
const char *decode_cubin(struct ptx_module *module, const struct cubin *cubin, struct sass_listings *listings);
/* Scheduling fields of the 16 bytes. */
struct sass_control decode_control(const uint8_t *code);
/* "desc[UR8][R2.64+0x10]" */
void decode_operand_print(struct text *out, const struct sass_operand *operand);
/* "@P0 LDG.E R8, desc[UR8][R2.64+0x10]": the instruction as nvdisasm prints it; operands parted by commas alone when
 * `bare`. */
void decode_print(struct text *out, const struct sass_insn *insn, bool bare);

#endif
