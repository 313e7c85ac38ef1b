/*
 * The handlers: what a machine instruction computes. sass.def says which handler an opcode has. The state of a
 * translation comes in, its values and instructions go out; sums, products and divisions share what is declared here.
 */
#ifndef COALESCE_PTXPARSE_SASS_HANDLERS_HANDLERS_H
#define COALESCE_PTXPARSE_SASS_HANDLERS_HANDLERS_H

#include "ptxparse/sass/value.h"

/* ---- opcodes.c: the rows of sass.def ---- */

typedef void sass_handler(struct sass_translation *t, const struct sass_insn *insn);
struct sass_opcode {
	const char *name; /* without modifiers */
	sass_handler *handler;
	uint16_t operation; /* enum ptx_operation */
	uint8_t unit, type;
};
/* The row of the opcode, or NULL. */
const struct sass_opcode *sass_opcode_find(const char *opcode);
/* Whether its handler describes the instruction: there is a row, and 64-bit forms only where they are described. */
bool sass_opcode_describes(const struct sass_insn *insn);

/* ---- one handler for each name in sass.def ---- */

#define X(opcode, handler, operation, type, unit) sass_handler sass_handle_##handler;
#include "ptxparse/sass/handlers/sass.def"
#undef X

/* ---- memory.c, for integer.c ---- */

/* Loads what the instruction reads from a constant bank by a register's number. */
void sass_constant_load(struct sass_translation *t);

/* ---- sum.c: sums and their carries, for product.c too; division.c ---- */

#define MOST_TERMS 3

/* The operands of a sum: destination, carries out, then three summands, then carries in. */
struct sass_sum_shape {
	unsigned destination, first_carry, carry_count, first_source;
};

struct sass_sum_shape sass_sum_shape(struct sass_translation *t);
/* The i-th operand as a summand of low halves; zeros are left out. */
void sass_sum_term_add(struct sass_translation *t, unsigned i, struct sass_summand *terms, unsigned *count);
/* The sum modulo 2^32. */
struct sass_value *sass_sum_terms_add(struct sass_translation *t, const struct sass_summand *terms, unsigned count);
/* Carries out of a sum become predicates; they cost nothing as long as nobody reads them. */
void sass_sum_carries_set(struct sass_translation *t, const struct sass_sum_shape *shape,
                          const struct sass_summand *terms, unsigned count, struct sass_value *low,
                          struct sass_value *carry_in);

/* High halves to be paired; inverted: ~value belongs to a low half that is subtracted. */
struct sass_high {
	struct sass_value *value;
	bool inverted, used;
};

/* The i-th operand as a high half. */
void sass_sum_high_add(struct sass_translation *t, unsigned i, struct sass_high *highs, unsigned *count);
/* The predicates from operand `first` on that are added as carries. */
void sass_sum_carries_read(struct sass_translation *t, unsigned first, struct sass_value *carries[2]);
/* The low sum that these are all the carries of, or NULL. */
struct sass_sum *sass_sum_carried(struct sass_value *const carries[2]);
/* The low sum's result is the low half of the 64-bit value. */
void sass_sum_low_mark(struct sass_value *low, struct sass_value *wide);
/* High halves and the carries that the predicates from operand `first` on are; sets the result and further carries. */
void sass_sum_highs_finish(struct sass_translation *t, const struct sass_sum_shape *shape, struct sass_high *highs,
                           unsigned count, unsigned first);

/* Marks steps of an integer division (division.c). What a sum, a product or a conversion gives: */
void sass_division_sum(struct sass_value *value, const struct sass_summand *terms, unsigned count);
void sass_division_product(struct sass_value *value, const struct sass_value *a, const struct sass_value *b);
/* hi(a * b + c): the refined inverse is marked; a quotient by one is given whole, else NULL. */
struct sass_value *sass_division_quotient(struct sass_translation *t, struct sass_value *a, struct sass_value *b,
                                          struct sass_value *c);
void sass_division_inverse(struct sass_value *value, const struct sass_value *a, const struct sass_value *b,
                           const struct sass_value *low, const struct sass_value *high);
/* The integer as a floating-point number, rounded up. */
struct sass_value *sass_division_round_up(struct sass_translation *t, enum ptx_type from, struct sass_value *a);

#endif
