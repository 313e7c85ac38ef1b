/*
 * Symbolic numbers: an integer of a kernel as an expression of the kernel's symbols, and the normal form of an index.
 * expr/ has their arithmetic.
 */
#ifndef COALESCE_ANALYZER_TYPES_EXPRESSION_H
#define COALESCE_ANALYZER_TYPES_EXPRESSION_H

#include "base/base.h"

struct access;
struct loop;
struct parameter;

/* ---- symbols and expressions ----------------------------------------------- */

enum symbol_kind {
	SYMBOL_THREAD,     /* threadIdx.<axis> */
	SYMBOL_BLOCK,      /* blockIdx.<axis> */
	SYMBOL_BLOCK_SIZE, /* blockDim.<axis> */
	SYMBOL_GRID_SIZE,  /* gridDim.<axis> */
	SYMBOL_ITERATOR, /* number of finished iterations of a loop, from 0: `for (k = 4; k < n; k += 2)` has k = 4 + 2
	                  * symbol */
	SYMBOL_PARAMETER /* scalar kernel parameter of integer type, or such a member of a record passed by value:
	                    "p.n"; the same in constant memory */
};

/*
 * Invariant: index is its position in kernel.symbols, so that values can be kept in a plain array. The order is
 * blockDim.x .z, gridDim, blockIdx, threadIdx (these twelve are always there), parameters, iterators and variables in
 * constant memory as they are met.
 */
struct symbol {
	enum symbol_kind kind;
	unsigned axis; /* 0, 1, 2 for x, y, z */
	unsigned index;
	const char *name; /* "threadIdx.x", "n"; iterator: the loop variable's name, "i#2" where "i" is taken, "loop#2"
	                     where there is none */
	const struct loop *loop;           /* ITERATOR */
	const struct parameter *parameter; /* PARAMETER */
};

/* Operators: X(name, spelling, operands). */
/* clang-format off */
#define EXPR_OPERATORS(X) \
	X(ADD, "+", 2) \
	X(SUB, "-", 2) \
	X(MUL, "*", 2) \
	X(DIV, "/", 2) \
	X(MOD, "%", 2) \
	X(SHL, "<<", 2) \
	X(SHR, ">>", 2) \
	X(AND, "&", 2) \
	X(OR, "|", 2) \
	X(XOR, "^", 2) \
	X(LT, "<", 2) \
	X(LE, "<=", 2) \
	X(GT, ">", 2) \
	X(GE, ">=", 2) \
	X(EQ, "==", 2) \
	X(NE, "!=", 2) \
	X(LOGICAL_AND, "&&", 2) \
	X(LOGICAL_OR, "||", 2) \
	X(NEG, "-", 1) \
	X(NOT, "~", 1) \
	X(LOGICAL_NOT, "!", 1) \
	X(SELECT, "?:", 3) \
	X(MIN, "min", 2) \
	X(MAX, "max", 2) \
	X(CAST, "cast", 1)
/* clang-format on */
enum expr_op {
	EXPR_CONSTANT,
	EXPR_SYMBOL,
	EXPR_LOAD,    /* the value of an access: indirect indexing */
	EXPR_UNKNOWN, /* outside the model, with a reason and place */
#define X(name, spelling, operands) EXPR_##name,
	EXPR_OPERATORS(X)
#undef X
};

/*
 * An integer (or condition) of the kernel as a function of its symbols, locals substituted. C's arithmetic: bits and
 * is_signed give the type in which the operation is done; CAST converts its operand to it. Shared subtrees are allowed;
 * never cyclic.
 */
#define EXPR_TREE_SIZE_MAX 4096
struct expr {
	enum expr_op op;
	uint8_t bits; /* 8, 16, 32, 64; 1 for conditions */
	bool is_signed;
	uint32_t tree_size; /* nodes when written out as a tree; larger ones than EXPR_TREE_SIZE_MAX become UNKNOWN */
	int64_t value;      /* CONSTANT; LOAD: byte offset of the part meant, where the access reads a whole element */
	const struct symbol *symbol; /* SYMBOL */
	const struct access *load;   /* LOAD */
	const char *reason;          /* UNKNOWN */
	struct place place;          /* UNKNOWN, LOAD */
	const struct expr *operands[3];
};
/*
 * Normal form (thesis section 3.1): sum of coefficient * product of symbols. Linear in the target symbols (threads,
 * blocks, iterators): a term has at most one of them; its other symbols (parameters, block and grid sizes) are
 * invariant in the kernel. Not affine: reason is set, terms are none. Terms are sorted by their symbols' indices, no
 * zero coefficients.
 */
struct affine_term {
	int64_t coefficient;
	unsigned symbol_count;
	const struct symbol **symbols; /* sorted by index */
};
struct affine {
	const char *reason; /* NULL when affine */
	struct place place; /* of what is not affine */
	int64_t constant;
	struct affine_term *terms;
	unsigned term_count;
};

#endif
