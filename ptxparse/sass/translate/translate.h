/*
 * The translation of a kernel: within a block each register stands for a value: a number, a parameter, half of a 64-bit
 * value, ... Values become instructions only where something needs them; so the two halves of an address, which machine
 * code computes apart, come out as one 64-bit sum. What leaves a block is copied into the register of its web.
 *
 * Link circle: value.c bank.c emit.c (a value may need an instruction, and an instruction values)
 */
#ifndef COALESCE_PTXPARSE_SASS_TRANSLATE_TRANSLATE_H
#define COALESCE_PTXPARSE_SASS_TRANSLATE_TRANSLATE_H

#include "ptxparse/sass/flow.h"

/* ---- values ---- */

enum sass_value_kind {
	VALUE_PLAIN, /* in an IR register */
	VALUE_ENTRY, /* what the key held at the block's start */
	VALUE_CONSTANT,
	VALUE_BANK,    /* 4 bytes of constant bank 0, 3 (BANK_VARIABLES is added) or 4 (BANK_ADDRESSES) at number */
	VALUE_SPECIAL, /* number: enum ptx_special */
	VALUE_LOW,
	VALUE_HIGH,   /* halves of a */
	VALUE_PAIR,   /* 64 bits: a low, b high */
	VALUE_SELECT, /* predicate ? a : b */
	VALUE_UNKNOWN,
	VALUE_CARRY /* predicate: carry number `number` of the sum */
};

#define BANK_ADDRESSES (INT64_C(1) << 32)
#define BANK_VARIABLES (INT64_C(2) << 32)

/* What is known of how a value came about. FACT_ESTIMATE to FACT_INVERSE: steps of a division by fact_value. */
enum sass_value_fact {
	FACT_NONE,
	FACT_SIGN,    /* fact_value >> 31 */
	FACT_LOW_OF,  /* low half of fact_value */
	FACT_TABLE,   /* word at fact_value + number of constant bank 2 */
	FACT_SHIFTED, /* fact_value << number; of 64 bits: fact_value is the low half of what was shifted */
	FACT_COMPARE, /* predicate: compare of a and b, unsigned low halves */
	FACT_ESTIMATE,
	FACT_RECIPROCAL,
	FACT_LOWERED,
	FACT_GUESS,
	FACT_GUESS_NEGATED,
	FACT_ERROR,
	FACT_INVERSE
};

struct sass_summand {
	struct sass_value *value;
	bool negated;
	uint8_t shift;
};
/* A 32-bit sum whose carries somebody may add to the high halves. */
struct sass_sum {
	struct sass_summand terms[3];
	unsigned count;
	struct sass_value *low;
	struct sass_value *carry_in; /* or NULL */
};

struct sass_value {
	uint8_t kind, bits; /* bits: 1, 32, 64 */
	uint8_t fact, compare;
	bool predicate_negated; /* SELECT */
	uint16_t key;           /* ENTRY */
	uint32_t reg;           /* IR register once it is in one, else PTX_NO_REGISTER */
	int64_t number;
	struct sass_value *a, *b;
	struct sass_value *predicate, *fact_value;
	struct sass_value *paired_low,
		*paired;      /* the pair it was last found to be the high half of, and that one's low half */
	struct sass_sum *sum; /* PLAIN: it is the low half of it; CARRY: of which */
};

/* ---- the state of a translation ---- */

/* A pair of keys whose 64-bit value blocks hand on; or, with high == KEY_NONE, the divisor that low's inverse is of. */
struct sass_derived {
	uint16_t low, high;
};

struct sass_translation {
	struct arena *arena, *scratch;
	struct ptx_module *module;
	struct ptx_function *function;
	const struct sass_flow *flow;
	const struct cubin_kernel *info;
	const struct cubin *cubin;
	struct sass_code *code;
	struct diagnostics *diagnostics;

	struct sass_derived derived[KEY_LIMIT - KEY_FIXED];
	unsigned derived_count;
	bool simple; /* hand on registers alone */

	/* webs and IR registers */
	struct ptx_register *registers;
	size_t register_count;
	uint32_t *web_register; /* by web node */
	bool dry;               /* nothing is kept but the sets of keys */

	/* the block being translated */
	const struct sass_basic_block *block;
	const struct sass_listing *listing;
	struct sass_value *current[KEY_FIXED], *entries[KEY_LIMIT];
	struct sass_value *banks[64]; /* words of constant banks already asked for */
	unsigned bank_count;
	uint16_t touched[KEY_FIXED]; /* keys that are not NULL in current */
	unsigned touched_count;
	uint64_t used[KEY_WORDS]; /* keys whose value at entry is needed */

	/* the instruction being translated */
	const struct sass_insn *insn;
	uint32_t index;
	struct sass_value *guard; /* predicate or NULL */
	bool guard_negated;
	size_t first_emitted;
	uint32_t main;    /* index of the executed one, UINT32_MAX */
	unsigned helping; /* > 0: what is emitted helps values into registers */
	struct {
		uint16_t key;
		struct sass_value *value;
	} results[10];
	unsigned result_count;

	/* what was emitted */
	struct ptx_insn *insns;
	size_t insn_count;
	struct sass_control *controls;
	size_t control_count;
	struct sass_call *calls; /* of functions of the system */
	size_t call_count;
	uint64_t *warned; /* opaque opcodes, by hash of their text */
	size_t warned_count;
};

/* ---- blocks.c: all blocks of a kernel ---- */

void sass_blocks_translate(struct sass_translation *t, struct sass_flow *flow);

/* ---- web.c ---- */

/* IR register that holds the key at the start or the end of the block. */
uint32_t sass_web_in(const struct sass_translation *t, const struct sass_basic_block *block, uint16_t key);
uint32_t sass_web_out(const struct sass_translation *t, const struct sass_basic_block *block, uint16_t key);

#endif
