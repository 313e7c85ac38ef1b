/*
 * compute: one step of the slice executed: what it writes, along all axes.
 *
 * Whatever the operation, the answer is the same as lane by lane on plain numbers (scalar.c); what differs is how far
 * along the axes it is known. Sums, products by constants, quotients and bit fields stay linear (sum and product.c,
 * magic.c, value/bits.c), comparisons make bounds (compare.c), everything else is done lane by lane and is curved along
 * every axis that its sources change on. Unknown sources make unknown results (an operation without a case in scalar.c
 * makes such too); linear operations on a number that is unknown but common to all lanes keep the differences between
 * lanes. Prefix: compute_; scalar_ for plain numbers.
 */
#ifndef COALESCE_MODEL_EXECUTE_COMPUTE_H
#define COALESCE_MODEL_EXECUTE_COMPUTE_H

#include "model/execute/plan/plan.h"

#define MOST_SOURCES 8

/* Where a step is executed. */
struct compute_place {
	struct axes *axes;
	const struct plan *plan;
	struct warp_value *registers;
	const uint64_t *pending; /* registers live where other lanes wait */
	const struct warp_value *specials;
	bool uncertain;          /* inside one side of a branch that was weighed, not followed */
	uint32_t *shifts;        /* unknown numbers met so far that all lanes have in common */
	bool *usual;             /* set where a comparison of unknown numbers was taken to come out the usual way */
	double *distance, *mean; /* by loop, or NULL: how far apart the two sides of its deciding comparison were last,
	                          * in the lane where they were farthest, and on average */
};

/* Computes the step's targets for the lanes of mask. live: the lanes of the whole entry. */
void compute_step(const struct compute_place *place, const struct step *step, uint32_t mask, uint32_t live);
/* Gives lanes of a register a value, in the register's width. */
void compute_write(const struct compute_place *place, uint32_t reg, const struct warp_value *value, uint32_t mask,
                   uint32_t live);
const struct warp_value *compute_source(const struct compute_place *place, const struct step_source *source);

/* One operation on the sources as stored in registers. Returns false where the operation is not computed. */
bool scalar_apply(const struct ptx_insn *insn, const uint64_t sources[], unsigned count, uint64_t *result);
/* a compared with b as the instruction says. */
bool scalar_compare(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b);
/* The same for each of `count` lanes: a bit for each where it holds. */
uint32_t scalar_compare_lanes(const struct ptx_insn *insn, enum ptx_type type, const uint64_t *a, const uint64_t *b,
                              unsigned count);

/* real.c: the same for floating point; of conversions those from or to it. */
bool scalar_is_real(enum ptx_type type);
bool scalar_real(const struct ptx_insn *insn, const uint64_t sources[], unsigned count, uint64_t *result);
bool scalar_compare_real(const struct ptx_insn *insn, enum ptx_type type, uint64_t a, uint64_t b);
bool scalar_convert_real(const struct ptx_insn *insn, uint64_t raw, uint64_t *result);

/* ---- within the room ------------------------------------------------------------------------------- */

/* The instruction being executed, its sources read in the width of the operation. */
struct execution {
	const struct compute_place *place;
	struct axes *axes; /* the place's */
	const struct step *step;
	uint32_t mask, live;
	unsigned bits;
	bool is_signed;
	bool alike; /* a comparison of numbers that are the same in all lanes */
	unsigned count;
	const struct warp_value *sources[MOST_SOURCES];
	struct warp_value scratch[MOST_SOURCES];
	struct warp_value result;
};

/* execution.c: what operations share. */
void compute_read(struct execution *x);
/* Gives the target of that position the value. */
void compute_target(struct execution *x, unsigned which, const struct warp_value *value);
/* Whether a source is unknown; then result is unknown too, and common to all lanes where the sources are. */
bool compute_doubtful(struct execution *x, unsigned bits);
/* A number that is the same in all lanes and everywhere along the axes. */
bool compute_is_plain(const struct execution *x, const struct warp_value *value);
/*
 * Whether lanes are a known way apart from one number that is not known, or count on from it, beside
 * known sources. What is made of them, as tiles and places in these, is made as if that number were 0:
 * the result is as little known, but lanes keep how far they are apart.
 */
bool compute_is_row(const struct execution *x);
/* Takes them to be those; returns where they come from. The result is doubted again at the end. */
uint32_t compute_row_begin(struct execution *x);
void compute_row_end(struct execution *x, uint32_t origin);
/* All targets become unknown. */
void compute_unknown(struct execution *x);
/* Any operation, lane by lane; the result is curved along all axes where the sources change. */
void compute_lanes(struct execution *x);

/* product.c; division: div and rem by a positive number that is the same everywhere, of numbers that are and stay
 * non-negative. */
void compute_product(struct execution *x);
void compute_shift(struct execution *x);
void compute_division(struct execution *x);
/* magic.c: the quotient that the step computes, in result; false where it is none for these numbers. */
bool compute_magic(struct execution *x);

/* compare.c; extreme: min, max, abs of integers. predicates: of those that operate on predicates. */
void compute_setp(struct execution *x);
void compute_selp(struct execution *x);
void compute_extreme(struct execution *x);
void compute_set(struct execution *x);
void compute_predicates(struct execution *x);

/* move.c: mov, also of vectors; conversions; addresses. */
void compute_moves(struct execution *x);
void compute_mov(struct execution *x);
void compute_conversion(struct execution *x);
void compute_address(struct execution *x);
void compute_isspacep(struct execution *x);

/* exchange.c: lanes among themselves. Results beyond the first are written. */
void compute_shuffle(struct execution *x);
void compute_vote(struct execution *x);
void compute_elect(struct execution *x);

#endif
