/*
 * Machine instructions as the readers of a cubin give them, and the keys of the registers that they name: what every
 * file of the sass room speaks of.
 */
#ifndef COALESCE_PTXPARSE_SASS_INSN_H
#define COALESCE_PTXPARSE_SASS_INSN_H

#include "ptxparse/sass/sass.h"

#define SASS_NO_BLOCK UINT32_MAX

/* ---- places that hold values: registers by a key ---- */

enum {
	KEY_REGISTERS = 0,    /* R0 .. R254 */
	KEY_ZERO = 255,       /* RZ, URZ */
	KEY_UNIFORMS = 256,   /* UR0 .. UR254 */
	KEY_PREDICATES = 512, /* P0 .. P6 */
	KEY_TRUE = 519,       /* PT, UPT */
	KEY_UNIFORM_PREDICATES = 520,
	KEY_FIXED = 528, /* from here on: pairs and divisors, struct sass_derived */
	KEY_LIMIT = KEY_FIXED + 2048,
	KEY_NONE = UINT16_MAX
};
#define KEY_WORDS ((KEY_LIMIT + 63) / 64)

static inline bool sass_set_holds(const uint64_t *set, unsigned key)
{
	return set[key / 64] >> (key % 64) & 1;
}
static inline void sass_set_put(uint64_t *set, unsigned key)
{
	set[key / 64] |= UINT64_C(1) << (key % 64);
}

/* How many keys of the set are below the key. */
static inline uint32_t sass_set_rank(const uint64_t *set, unsigned key)
{
	uint32_t rank = 0;

	for (unsigned word = 0; word < key / 64; word++)
		rank += (uint32_t)__builtin_popcountll(set[word]);
	return rank + (uint32_t)__builtin_popcountll(set[key / 64] & ((UINT64_C(1) << (key % 64)) - 1));
}

/* How many there are. */
static inline uint32_t sass_set_size(const uint64_t *set)
{
	return sass_set_rank(set, KEY_LIMIT - 1) + (uint32_t)(set[KEY_WORDS - 1] >> (KEY_LIMIT - 1) % 64 & 1);
}

/* ---- instructions and listings ---- */

enum sass_operand_kind {
	SASS_OTHER,    /* SR_TID.X, B0, a symbol: see text */
	SASS_REGISTER, /* R, UR, P, UP: key */
	SASS_INTEGER,  /* value */
	SASS_REAL,     /* real */
	SASS_BANK,     /* c[bank][value + register key] */
	SASS_ADDRESS   /* [terms + value] */
};

/* One register in an address. */
struct sass_term {
	uint16_t key;
	uint8_t shift; /* .X4: 2 */
	bool wide;     /* .64 */
	bool narrow;   /* .U32 */
};

struct sass_operand {
	uint8_t kind;
	bool negated;     /* -R */
	bool inverted;    /* ~R, !P */
	bool absolute;    /* |R| */
	bool part;        /* R.H0, R.B1: not the whole register */
	bool wide;        /* R.64 */
	bool uniform;     /* of the uniform datapath: tells URZ from RZ, UPT from PT */
	bool reuse;       /* kept in the operand cache */
	bool narrow_zero; /* ADDRESS: RZ.U32 stands before a uniform register */
	uint8_t bank, term_count;
	uint16_t key;
	uint16_t descriptor; /* ADDRESS: uniform register in desc[]; KEY_NONE */
	struct sass_term terms[4];
	int64_t value;
	double real;
	const char *text;   /* OTHER: all of it */
	const char *suffix; /* ".H0_H0"; NULL where there is none */
};

#define SASS_OPERANDS 12
struct sass_insn {
	const char *opcode; /* with its modifiers: "IADD3.X" */
	const struct sass_opcode *entry;
	struct sass_operand *operands; /* SASS_OPERANDS of them; zero beyond operand_count */
	uint8_t operand_count;
	bool guarded, guard_negated, guard_uniform;
	uint16_t guard; /* key */
	uint32_t place; /* index in module->places */
};

struct cubin_symbol;
struct sass_listing {
	const char *name; /* of the section, without .text. */
	uint32_t section;
	struct sass_insn *insns;
	uint32_t insn_count;
	const uint8_t *code;               /* the encodings, NULL where the cubin has none */
	const struct cubin_symbol *symbol; /* of the kernel, or NULL */
};

struct sass_listings {
	struct sass_listing *list;
	size_t count;
	unsigned architecture; /* 90 */
};

/* ---- insn.c ---- */

/* What an instruction does to control. */
enum sass_kind { KIND_PLAIN, KIND_BRANCH, KIND_INDEXED, KIND_EXIT, KIND_RETURN, KIND_CALL, KIND_SYNC };
enum sass_kind sass_kind_of(const struct sass_insn *insn);
/* Whether the opcode has the modifier, given without its dot. */
bool sass_has(const struct sass_insn *insn, const char *modifier);
/* Whether the opcode is that one, with any modifiers. */
bool sass_opcode_is(const struct sass_insn *insn, const char *name);

#endif
