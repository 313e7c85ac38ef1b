/*
 * Private to ptxparse: what the files that read machine code share.
 *
 * A cubin's listing is read whole (sass_cubin.c, sass_listing.c), split into blocks with called functions copied to
 * each place of call (sass_flow.c), and translated block by block (sass_translate.c and the handlers). Within a block
 * each register stands for a value (sass_value.c): a number, a parameter, half of a 64-bit value, ... Values become
 * instructions only where something needs them; so the two halves of an address, which machine code computes apart,
 * come out as one 64-bit sum. What leaves a block is copied into the register of its web (sass_blocks.c).
 */
#ifndef COALESCE_PTXPARSE_SASS_H
#define COALESCE_PTXPARSE_SASS_H

#include "ptxparse/ptxparse.h"

#define SASS_INSN_BYTES 16
#define NO_BLOCK UINT32_MAX

/* ---- places that hold values: registers by a key ----------------------------------- */

enum {
	KEY_REGISTERS = 0,    /* R0 .. R254 */
	KEY_ZERO = 255,       /* RZ, URZ */
	KEY_UNIFORMS = 256,   /* UR0 .. UR254 */
	KEY_PREDICATES = 512, /* P0 .. P6 */
	KEY_TRUE = 519,       /* PT, UPT */
	KEY_UNIFORM_PREDICATES = 520,
	KEY_FIXED = 528, /* from here on: pairs and divisors, struct derived_key */
	KEY_LIMIT = KEY_FIXED + 2048,
	KEY_NONE = UINT16_MAX
};
#define KEY_WORDS ((KEY_LIMIT + 63) / 64)

/* ---- sass_cubin.c: the ELF file -------------------------------------------------------- */

struct cubin_section {
	const char *name;
	const uint8_t *data; /* NULL where the file has none (NOBITS) */
	uint64_t size;
	uint32_t type, info, flags;
};

struct cubin_symbol {
	const char *name;
	uint64_t value, size;
	uint32_t section;
	uint8_t type;
	bool is_entry;
};

struct cubin {
	const char *path;
	struct cubin_section *sections;
	size_t section_count;
	struct cubin_symbol *symbols;
	size_t symbol_count;
};

/* Reads sections and symbols. Returns NULL, or why the bytes are no cubin. */
const char *cubin_open(struct arena *arena, const void *data, size_t length, struct cubin *cubin);
/* The section of that name (prefix and suffix joined), or NULL. */
const struct cubin_section *cubin_section_find(const struct cubin *cubin, const char *prefix, const char *suffix);
const struct cubin_symbol *cubin_symbol_find(const struct cubin *cubin, const char *name);
/* The name of the variable whose address stands at the offset in constant bank 4, or NULL. */
const char *cubin_address_at(const struct cubin *cubin, uint64_t offset);
/* Addresses that the indirect branch at `address` may go to, each once. */
uint32_t *cubin_branch_targets(struct arena *arena, const struct cubin *cubin, const char *function, uint32_t address,
                               uint32_t *count);
/* Four bytes of a function's constant bank; false where the cubin does not have them. */
bool cubin_bank_word(const struct cubin *cubin, const char *function, unsigned bank, uint64_t offset, uint32_t *word);

/* What .nv.info says about a kernel. */
struct kernel_info {
	struct ptx_variable *parameters;
	size_t parameter_count;
	uint32_t parameter_base; /* offset in constant bank 0 */
	uint32_t register_count, stack_bytes;
	uint64_t shared_bytes;
	uint32_t required_threads[3], maximum_threads[3];
};
void kernel_info_read(struct arena *arena, const struct cubin *cubin, const char *kernel, unsigned architecture,
                      struct kernel_info *info);

/* ---- sass_listing.c, sass_operand.c: what nvdisasm printed ------------------------------- */

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
	bool negated;  /* -R */
	bool inverted; /* ~R, !P */
	bool absolute; /* |R| */
	bool part;     /* R.H0, R.B1: not the whole register */
	bool wide;     /* R.64 */
	uint8_t bank, term_count;
	uint16_t key;
	struct sass_term terms[4];
	int64_t value;
	double real;
	const char *text;
};

#define SASS_OPERANDS 12
struct sass_insn {
	const char *opcode; /* with its modifiers: "IADD3.X" */
	const struct sass_opcode *entry;
	struct sass_operand operands[SASS_OPERANDS];
	uint8_t operand_count;
	bool guarded, guard_negated;
	uint16_t guard; /* key */
	uint32_t place; /* index in module->places */
};

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

/* Reads the JSON; fills places of the module. Returns NULL, or why it is not a listing. */
const char *listings_read(struct ptx_module *module, const struct cubin *cubin, const char *json, size_t length,
                          struct sass_listings *listings);
/* Splits and reads the text of an instruction's operands. R2[R4]: two, as nvdisasm 13.2 prints them. */
void operands_read(struct arena *arena, const char *text, struct sass_insn *insn);
/* "P0", "!UP1": a predicate, into guard. Returns false where it is none. */
bool guard_read(const char *text, struct sass_insn *insn);
/* Whether the opcode has the modifier, given without its dot. */
bool sass_has(const struct sass_insn *insn, const char *modifier);

/* ---- sass.def: what opcodes do --------------------------------------------------------------- */

struct translation;
typedef void sass_handler(struct translation *t, const struct sass_insn *insn);
struct sass_opcode {
	const char *name; /* without modifiers */
	sass_handler *handler;
	uint16_t operation; /* enum ptx_operation */
	uint8_t unit, type;
};
/* The row of the opcode, or NULL. */
const struct sass_opcode *sass_opcode_find(const char *opcode);

/* ---- sass_survey.c: control within a listing ------------------------------------------------------- */

/* What an instruction does to control. */
enum sass_kind { KIND_PLAIN, KIND_BRANCH, KIND_INDEXED, KIND_EXIT, KIND_RETURN, KIND_CALL, KIND_SYNC };
/* Whether a branch's predicates decide. NEVER, ALWAYS: of BRA.DIV, BRA.CONV, and of branches around slow paths. */
enum sass_choice { CHOICE_NEVER, CHOICE_ALWAYS, CHOICE_CONDITION };

struct survey {
	const struct sass_listing *listing;
	bool *leader;    /* by instruction: a block begins there; one more than there are instructions */
	uint8_t *choice; /* enum sass_choice of branches */
};
/* Returns how many branches around slow paths there are. */
uint32_t survey_make(struct arena *arena, const struct sass_listing *listing, struct survey *survey);
/* Whether the block ends after the instruction. Exits under a guard are passed. */
bool survey_ends_block(const struct survey *survey, uint32_t index);
enum sass_kind sass_kind_of(const struct sass_insn *insn);
/* The instruction that a branch or BSSY names; NO_BLOCK where it is none of the listing. */
uint32_t sass_named_insn(const struct sass_listing *listing, const struct sass_insn *insn);
/* Whether the opcode is that one, with any modifiers. */
bool sass_opcode_is(const struct sass_insn *insn, const char *name);

/* ---- sass_flow.c: blocks ------------------------------------------------------------------------ */

enum sass_end { END_FALL, END_JUMP, END_BRANCH, END_INDEXED, END_EXIT };

/* A function copied to a place of call. */
struct sass_context {
	const struct sass_listing *listing;
	uint32_t parent, caller; /* context; NO_BLOCK for the kernel itself. Leader to return to in the parent */
	uint32_t entry;          /* instruction */
	uint32_t depth;
};

struct sass_block {
	uint32_t context, first, count; /* instructions first .. first + count - 1 of the context's listing */
	enum sass_end end;
	uint32_t fall, target; /* blocks, or NO_BLOCK */
	uint32_t *targets;     /* of an indexed branch: one for each entry of its table */
	uint32_t target_count;
	uint32_t meet; /* block where diverged lanes meet; NO_BLOCK */
	uint32_t *predecessors;
	uint32_t predecessor_count;
	/* sass_blocks.c */
	/* Sets of keys: wanted at its start, and at its end; not to be had at its start; handed through; that it cannot give. */
	uint64_t *wanted_in, *wanted_out, *bad_in, *passed, *refused;
	uint32_t first_web_in, first_web_out;
	uint32_t emitted; /* index of its first ptx_insn */
};

struct sass_flow {
	struct arena *arena;
	const struct sass_listings *listings;
	const struct cubin *cubin;
	const struct sass_listing *kernel;
	struct sass_context *contexts;
	size_t context_count;
	struct sass_block *blocks; /* in the order in which they are emitted */
	size_t block_count;
	uint32_t cold_calls;
	bool too_large;
};

void flow_build(struct sass_flow *flow);

/* ---- sass_value.c: values and the instructions that make them ---------------------------------------- */

enum value_kind {
	VALUE_PLAIN, /* in an IR register */
	VALUE_ENTRY, /* what the key held at the block's start */
	VALUE_CONSTANT,
	VALUE_BANK,    /* 4 bytes of constant bank 0 or 4 (BANK_ADDRESSES is added) at number */
	VALUE_SPECIAL, /* number: enum ptx_special */
	VALUE_LOW,
	VALUE_HIGH,   /* halves of a */
	VALUE_PAIR,   /* 64 bits: a low, b high */
	VALUE_SELECT, /* predicate ? a : b */
	VALUE_UNKNOWN,
	VALUE_CARRY /* predicate: carry number `number` of the sum */
};

#define BANK_ADDRESSES (INT64_C(1) << 32)

/* What is known of how a value came about. FACT_ESTIMATE to FACT_INVERSE: steps of a division by fact_value. */
enum value_fact {
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

struct sum_term {
	struct sass_value *value;
	bool negated;
	uint8_t shift;
};
/* A 32-bit sum whose carries somebody may add to the high halves. */
struct sass_sum {
	struct sum_term terms[3];
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
	struct sass_value *paired_low, *paired; /* the pair it was last found to be the high half of, and that one's low half */
	struct sass_sum *sum;                   /* PLAIN: it is the low half of it; CARRY: of which */
};

/* A pair of keys whose 64-bit value blocks hand on; or, with high == KEY_NONE, the divisor that low's inverse is of. */
struct derived_key {
	uint16_t low, high;
};

struct translation {
	struct arena *arena, *scratch;
	struct ptx_module *module;
	struct ptx_function *function;
	const struct sass_flow *flow;
	const struct kernel_info *info;
	const struct cubin *cubin;
	struct sass_code *code;
	struct diagnostics *diagnostics;

	struct derived_key derived[KEY_LIMIT - KEY_FIXED];
	unsigned derived_count;
	bool simple; /* hand on registers alone */

	/* webs and IR registers */
	struct ptx_register *registers;
	size_t register_count;
	uint32_t *web_register; /* by web node */
	bool dry;               /* nothing is kept but the sets of keys */

	/* the block being translated */
	const struct sass_block *block;
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
	uint64_t *warned; /* opaque opcodes, by hash of their text */
	size_t warned_count;
};

struct sass_value *sass_value_constant(struct translation *t, unsigned bits, uint64_t number);
/* A value of that kind, with nothing else set. */
struct sass_value *sass_value_make(struct translation *t, enum value_kind kind, unsigned bits);
/* A word of constant bank 0, which holds parameters, or 4, which holds addresses of variables. */
struct sass_value *sass_value_bank(struct translation *t, unsigned bank, uint32_t offset);
/* A value about which nothing is known. */
struct sass_value *sass_value_unknown(struct translation *t, unsigned bits);
/* What the key held when the block began. */
struct sass_value *sass_value_entry(struct translation *t, uint16_t key);
/* What it holds now. */
struct sass_value *sass_key_get(struct translation *t, uint16_t key);
void sass_key_set(struct translation *t, uint16_t key, struct sass_value *value);
/* A value in a new IR register, still to be written. */
struct sass_value *sass_value_new(struct translation *t, unsigned bits);
struct sass_value *sass_value_low(struct translation *t, struct sass_value *wide);
struct sass_value *sass_value_high(struct translation *t, struct sass_value *wide);
/* The 64-bit value of two halves. */
struct sass_value *sass_value_pair(struct translation *t, struct sass_value *low, struct sass_value *high);
bool sass_value_is(const struct sass_value *value, uint64_t number);
/* The same value for certain. */
bool sass_value_same(const struct sass_value *a, const struct sass_value *b);
/* Two neighbouring words of a bank, or NULL where they are not one thing. */
struct sass_value *sass_bank_pair(struct translation *t, const struct sass_value *low, const struct sass_value *high);
/* The word of a bank as a loaded value. */
struct sass_value *sass_bank_load(struct translation *t, const struct sass_value *value);
/* Loads from the parameter at the offset in constant bank 0; where there is none, the value is unknown. */
struct sass_value *parameter_load(struct translation *t, uint64_t offset, enum ptx_type type);
uint32_t sass_value_register(struct translation *t, struct sass_value *value);
struct ptx_operand sass_value_operand(struct translation *t, struct sass_value *value);
/* predicate ? a : b, all of the width of a. */
struct sass_value *sass_value_select(struct translation *t, struct sass_value *predicate, bool negated, struct sass_value *a,
                                     struct sass_value *b);
/* The key of a pair or divisor; KEY_NONE when there are too many. */
uint16_t derived_key(struct translation *t, uint16_t low, uint16_t high);

/* ---- sass_emit.c: instructions ---------------------------------------------------------------------------- */

struct ptx_insn *sass_emit_raw(struct translation *t, enum ptx_operation operation, enum ptx_type type, unsigned destinations,
                               unsigned operands);
/* One instruction with one result of `bits` bits; sources up to the first NULL. Simple cases are folded. */
struct sass_value *sass_emit(struct translation *t, enum ptx_operation operation, enum ptx_type type, unsigned bits,
                             struct sass_value *a, struct sass_value *b, struct sass_value *c);
struct sass_value *sass_emit_mode(struct translation *t, enum ptx_operation operation, enum ptx_type type, enum ptx_mode mode,
                                  unsigned bits, struct sass_value *a, struct sass_value *b, struct sass_value *c);
struct sass_value *sass_emit_convert(struct translation *t, enum ptx_type to, enum ptx_type from, enum ptx_mode mode,
                                     struct sass_value *a);
struct sass_value *sass_emit_compare(struct translation *t, enum ptx_compare compare, enum ptx_type type, struct sass_value *a,
                                     struct sass_value *b);
struct sass_value *sass_predicate_and(struct translation *t, struct sass_value *a, struct sass_value *b);
struct sass_value *sass_predicate_or(struct translation *t, struct sass_value *a, struct sass_value *b);
struct sass_value *sass_predicate_not(struct translation *t, struct sass_value *a);
/* Bits of three values by an 8-bit table, as LOP3 and PLOP3 have it. */
struct sass_value *sass_emit_logic(struct translation *t, enum ptx_type type, unsigned table, struct sass_value *a,
                                   struct sass_value *b, struct sass_value *c);
/* "setp.lt.s32": the spelling of an instruction that is all set. */
const char *sass_spell(const struct translation *t, const struct ptx_insn *insn);
/* Writes `value` into the IR register. */
void sass_emit_copy(struct translation *t, uint32_t reg, enum ptx_type type, struct sass_value *value);
uint32_t sass_register_new(struct translation *t, enum ptx_type type, const char *name);
enum ptx_type sass_bits_type(unsigned bits);

/* ---- sass_translate.c: instructions ------------------------------------------------------------------------- */

/* What the key holds where the guard of this instruction holds. */
struct sass_value *sass_key_read(struct translation *t, uint16_t key);
/* The i-th operand as a value; modifiers (-, ~, |x|, !) applied. Missing operands: zero. */
struct sass_value *sass_source(struct translation *t, unsigned i);
/* Without its modifiers. */
struct sass_value *sass_source_plain(struct translation *t, unsigned i);
/* A register pair, a 64-bit constant, an immediate extended (sign or zero). */
struct sass_value *sass_source_wide(struct translation *t, unsigned i, bool is_signed);
/* A predicate with ! applied. */
struct sass_value *sass_source_predicate(struct translation *t, unsigned i);
/* Bits of an immediate operand, of another kind: fallback. */
int64_t sass_source_number(const struct translation *t, unsigned i, int64_t fallback);
bool sass_source_is_predicate(const struct translation *t, unsigned i);
/* Sets what the i-th operand becomes. */
void sass_result(struct translation *t, unsigned i, struct sass_value *value);
/* A pair of registers. */
void sass_result_wide(struct translation *t, unsigned i, struct sass_value *value);
/* The last instruction emitted is the executed one. */
void sass_main_is_last(struct translation *t);
void block_translate(struct translation *t, struct sass_block *block);

/* ---- handlers: sass_sum.c, _integer.c, _logic.c, _real.c, _memory.c, _control.c -------------------------------- */

#define X(opcode, handler, operation, type, unit) sass_handler handle_##handler;
#include "ptxparse/sass.def"
#undef X

/* ---- sass_sum.c: sums and their carries, for sass_product.c too ------------------------------------- */

#define MOST_TERMS 3

/* The operands of a sum: destination, carries out, then three summands, then carries in. */
struct sum_shape {
	unsigned destination, first_carry, carry_count, first_source;
};

struct sum_shape sum_shape_read(struct translation *t);
/* The i-th operand as a summand of low halves; zeros are left out. */
void sum_term_add(struct translation *t, unsigned i, struct sum_term *terms, unsigned *count);
/* The sum modulo 2^32. */
struct sass_value *sum_terms_add(struct translation *t, const struct sum_term *terms, unsigned count);
/* Carries out of a sum become predicates; they cost nothing as long as nobody reads them. */
void sum_carries_set(struct translation *t, const struct sum_shape *shape, const struct sum_term *terms, unsigned count,
                     struct sass_value *low, struct sass_value *carry_in);

/* High halves to be paired; inverted: ~value belongs to a low half that is subtracted. */
struct high_term {
	struct sass_value *value;
	bool inverted, used;
};

/* The i-th operand as a high half. */
void sum_high_add(struct translation *t, unsigned i, struct high_term *highs, unsigned *count);
/* The predicates from operand `first` on that are added as carries. */
void sum_carries_read(struct translation *t, unsigned first, struct sass_value *carries[2]);
/* The low sum that these are all the carries of, or NULL. */
struct sass_sum *sum_carried(struct sass_value *const carries[2]);
/* The low sum's result is the low half of the 64-bit value. */
void sum_low_mark(struct sass_value *low, struct sass_value *wide);
/* High halves and the carries that the predicates from operand `first` on are; sets the result and further carries. */
void sum_highs_finish(struct translation *t, const struct sum_shape *shape, struct high_term *highs, unsigned count,
                      unsigned first);

/* Marks steps of an integer division (sass_division.c). What a sum, a product or a conversion gives: */
void division_sum(struct sass_value *value, const struct sum_term *terms, unsigned count);
void division_product(struct sass_value *value, const struct sass_value *a, const struct sass_value *b);
/* hi(a * b + c): the refined inverse is marked; a quotient by one is given whole, else NULL. */
struct sass_value *division_quotient(struct translation *t, struct sass_value *a, struct sass_value *b, struct sass_value *c);
void division_inverse(struct sass_value *value, const struct sass_value *a, const struct sass_value *b,
                      const struct sass_value *low, const struct sass_value *high);
/* The integer as a floating-point number, rounded up. */
struct sass_value *division_round_up(struct translation *t, enum ptx_type from, struct sass_value *a);

/* Scheduling fields of the instruction being translated. */
struct sass_control insn_control(const struct translation *t);
void insn_begin(struct translation *t, uint32_t index);
/* What the machine instruction is counted by, where no other instruction was emitted for it. */
void insn_main_make(struct translation *t, enum ptx_operation operation);
/* The one executed instruction gets its spelling, all get their control fields. */
void insn_finish(struct translation *t);

/* ---- sass_leave.c: the end of a block ------------------------------------------------------------------ */

/* Copies what later blocks want into its registers. The condition of the branch that follows is kept. */
void block_leave(struct translation *t, struct sass_block *block, struct sass_value **condition);
/* The instruction that ends the block. */
void block_end(struct translation *t, struct sass_block *block, uint32_t index);
/* A block that falls into one that does not stand next to it. */
void block_fall(struct translation *t, struct sass_block *block, uint32_t self);

/* ---- sass_blocks.c: all blocks of a kernel --------------------------------------------------------------------- */

void blocks_translate(struct translation *t, struct sass_flow *flow);
/* IR register that holds the key at the start or the end of the block. */
uint32_t web_register_in(const struct translation *t, const struct sass_block *block, uint16_t key);
uint32_t web_register_out(const struct translation *t, const struct sass_block *block, uint16_t key);

static inline bool set_holds(const uint64_t *set, unsigned key)
{
	return set[key / 64] >> (key % 64) & 1;
}
static inline void set_put(uint64_t *set, unsigned key)
{
	set[key / 64] |= UINT64_C(1) << (key % 64);
}

#endif
