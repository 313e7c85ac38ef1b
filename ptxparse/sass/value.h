/*
 * What handlers and blocks work with: values (value.c, bank.c), instructions that make them (emit.c), the operands of
 * the machine instruction at hand (source.c), and its beginning and end (step.c).
 */
#ifndef COALESCE_PTXPARSE_SASS_TRANSLATE_VALUE_H
#define COALESCE_PTXPARSE_SASS_TRANSLATE_VALUE_H

#include "ptxparse/sass/translate/translate.h"

/* ---- value.c, bank.c ---- */

struct sass_value *sass_value_constant(struct sass_translation *t, unsigned bits, uint64_t number);
/* A value of that kind, with nothing else set. */
struct sass_value *sass_value_make(struct sass_translation *t, enum sass_value_kind kind, unsigned bits);
/* A word of constant bank 0, which holds parameters, 3, which holds variables, or 4, which holds addresses of
 * variables. */
struct sass_value *sass_value_bank(struct sass_translation *t, unsigned bank, uint32_t offset);
/* A value about which nothing is known. */
struct sass_value *sass_value_unknown(struct sass_translation *t, unsigned bits);
/* What the key held when the block began. */
struct sass_value *sass_value_entry(struct sass_translation *t, uint16_t key);
/* What it holds now. */
struct sass_value *sass_key_get(struct sass_translation *t, uint16_t key);
void sass_key_set(struct sass_translation *t, uint16_t key, struct sass_value *value);
/* A value in a new IR register, still to be written. */
struct sass_value *sass_value_new(struct sass_translation *t, unsigned bits);
struct sass_value *sass_value_low(struct sass_translation *t, struct sass_value *wide);
struct sass_value *sass_value_high(struct sass_translation *t, struct sass_value *wide);
/* The 64-bit value of two halves. */
struct sass_value *sass_value_pair(struct sass_translation *t, struct sass_value *low, struct sass_value *high);
bool sass_value_is(const struct sass_value *value, uint64_t number);
/* The same value for certain. */
bool sass_value_same(const struct sass_value *a, const struct sass_value *b);
/* Two neighbouring words of a bank, or NULL where they are not one thing. */
struct sass_value *sass_bank_pair(struct sass_translation *t, const struct sass_value *low,
                                  const struct sass_value *high);
/* The word of a bank as a loaded value. */
struct sass_value *sass_bank_load(struct sass_translation *t, const struct sass_value *value);
/* The variable of constant memory that holds all of these bytes of bank 3, or NULL. */
const struct ptx_variable *sass_variable_at(const struct sass_translation *t, uint64_t offset, unsigned bytes);
/* Loads from the parameter at the offset in constant bank 0; where there is none, the value is unknown. */
struct sass_value *sass_parameter_load(struct sass_translation *t, uint64_t offset, enum ptx_type type);
uint32_t sass_value_register(struct sass_translation *t, struct sass_value *value);
struct ptx_operand sass_value_operand(struct sass_translation *t, struct sass_value *value);
/* predicate ? a : b, all of the width of a. */
struct sass_value *sass_value_select(struct sass_translation *t, struct sass_value *predicate, bool negated,
                                     struct sass_value *a, struct sass_value *b);
/* The key of a pair or divisor; KEY_NONE when there are too many. */
uint16_t sass_derived_key(struct sass_translation *t, uint16_t low, uint16_t high);

/* ---- emit.c: instructions ---- */

struct ptx_insn *sass_emit_raw(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                               unsigned destinations, unsigned operands);
/* One instruction with one result of `bits` bits; sources up to the first NULL. Simple cases are folded. */
struct sass_value *sass_emit(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                             unsigned bits, struct sass_value *a, struct sass_value *b, struct sass_value *c);
struct sass_value *sass_emit_mode(struct sass_translation *t, enum ptx_operation operation, enum ptx_type type,
                                  enum ptx_mode mode, unsigned bits, struct sass_value *a, struct sass_value *b,
                                  struct sass_value *c);
struct sass_value *sass_emit_convert(struct sass_translation *t, enum ptx_type to, enum ptx_type from,
                                     enum ptx_mode mode, struct sass_value *a);
struct sass_value *sass_emit_compare(struct sass_translation *t, enum ptx_compare compare, enum ptx_type type,
                                     struct sass_value *a, struct sass_value *b);
struct sass_value *sass_predicate_and(struct sass_translation *t, struct sass_value *a, struct sass_value *b);
struct sass_value *sass_predicate_or(struct sass_translation *t, struct sass_value *a, struct sass_value *b);
struct sass_value *sass_predicate_not(struct sass_translation *t, struct sass_value *a);
/* Bits of three values by an 8-bit table, as LOP3 and PLOP3 have it. */
struct sass_value *sass_emit_logic(struct sass_translation *t, enum ptx_type type, unsigned table, struct sass_value *a,
                                   struct sass_value *b, struct sass_value *c);
/* "setp.lt.s32": the spelling of an instruction that is all set. */
const char *sass_spell(const struct sass_translation *t, const struct ptx_insn *insn);
/* Writes `value` into the IR register. */
void sass_emit_copy(struct sass_translation *t, uint32_t reg, enum ptx_type type, struct sass_value *value);
uint32_t sass_register_new(struct sass_translation *t, enum ptx_type type, const char *name);
enum ptx_type sass_bits_type(unsigned bits);

/* ---- source.c: operands ---- */

/* What the key holds where the guard of this instruction holds. */
struct sass_value *sass_key_read(struct sass_translation *t, uint16_t key);
/* The i-th operand as a value; modifiers (-, ~, |x|, !) applied. Missing operands: zero. */
struct sass_value *sass_source(struct sass_translation *t, unsigned i);
/* Without its modifiers. */
struct sass_value *sass_source_plain(struct sass_translation *t, unsigned i);
/* A register pair, a 64-bit constant, an immediate extended (sign or zero). */
struct sass_value *sass_source_wide(struct sass_translation *t, unsigned i, bool is_signed);
/* A predicate with ! applied. */
struct sass_value *sass_source_predicate(struct sass_translation *t, unsigned i);
/* Bits of an immediate operand, of another kind: fallback. */
int64_t sass_source_number(const struct sass_translation *t, unsigned i, int64_t fallback);
bool sass_source_is_predicate(const struct sass_translation *t, unsigned i);
/* Sets what the i-th operand becomes. */
void sass_result(struct sass_translation *t, unsigned i, struct sass_value *value);
/* A pair of registers. */
void sass_result_wide(struct sass_translation *t, unsigned i, struct sass_value *value);
/* The last instruction emitted is the executed one. */
void sass_main_is_last(struct sass_translation *t);

/* ---- step.c: one machine instruction ---- */

/* Scheduling fields of the instruction being translated. */
struct sass_control sass_insn_control(const struct sass_translation *t);
void sass_insn_begin(struct sass_translation *t, uint32_t index);
/* What the machine instruction is counted by, where no other instruction was emitted for it. */
void sass_insn_main_make(struct sass_translation *t, enum ptx_operation operation);
/* The one executed instruction gets its spelling, all get their control fields. */
void sass_insn_finish(struct sass_translation *t);

#endif
