/*
 * plan: a function prepared for running.
 *
 * Only what an address, a guard, a branch or a call depends on needs values: the backward slice through registers. The
 * plan holds, block by block, the steps of that slice with their operands resolved: registers by their number in the
 * slice, kernel parameters and addresses of variables as constants. All other instructions are counted by block. It
 * also knows which registers are live where, which steps are divisions by constants in disguise, and by one table
 * (operations.def) how each operation is evaluated. Called functions have plans of their own. Prefix: plan_.
 */
#ifndef COALESCE_MODEL_EXECUTE_PLAN_H
#define COALESCE_MODEL_EXECUTE_PLAN_H

#include "model/execute/value/value.h"

#define NO_SLOT UINT32_MAX
/* Where generic addresses see the spaces that have addresses of their own. */
#define SHARED_WINDOW (UINT64_C(1) << 56)
#define LOCAL_WINDOW (UINT64_C(2) << 56)
#define PARAMETER_WINDOW (UINT64_C(3) << 56)

/* How an operation is evaluated; operations.def has a row for each. */
enum plan_how {
	HOW_UNKNOWN, /* its result is not known */
	HOW_MEMORY,  /* loads or stores by address, and its requests are counted */
	HOW_MOVE,
	HOW_SUM,
	HOW_PRODUCT,
	HOW_SHIFT,
	HOW_DIVISION,
	HOW_LOGIC,
	HOW_FIELD,
	HOW_EXTREME,
	HOW_COMPARE,
	HOW_SELECT,
	HOW_SET,
	HOW_CONVERT,
	HOW_ADDRESS, /* between a space's own addresses and generic ones */
	HOW_SPACE,   /* whether a generic address is in a space */
	HOW_LANES,   /* lane by lane, on plain numbers */
	HOW_SHUFFLE,
	HOW_VOTE,
	HOW_ACTIVE,
	HOW_ELECT
};
struct plan_rule {
	enum plan_how how;
	uint8_t least_sources; /* without which it cannot be evaluated; what the text gives may be anything */
	char operator;         /* '&', '|', '^', '!' and '=' (a copy): it takes predicates too; else 0 */
	const char *widths;    /* in which its sources are read, see operations.def */
};

enum source_kind { SOURCE_REGISTER, SOURCE_CONSTANT, SOURCE_SPECIAL };
struct step_source {
	uint8_t kind, bits; /* bits: that the operation reads */
	bool negated;
	uint32_t reg; /* register of the slice, or enum ptx_special */
	const struct warp_value *constant;
};

/* A division by a constant as compilers write it: x * multiplier >> shift. */
struct magic {
	struct step_source x;
	uint64_t multiplier;
	unsigned shift, bits; /* bits: of x; shift 0: this is none */
	bool is_signed;
};

/* How a comparison of unknown numbers comes out, where it looks for special cases of arithmetic (usual.def). */
enum plan_usual { USUAL_NONE, USUAL_HOLDS, USUAL_FAILS };

/* One instruction that is run. Its block counts all others. */
struct step {
	const struct ptx_insn *insn;
	const struct plan_rule *rule;
	uint32_t index, slot, bytes; /* slot: of its counters, or NO_SLOT */
	uint32_t guard;              /* register of the slice, or NO_INDEX */
	uint32_t decides;            /* loop whose counter it compares with its bound, or PTX_NO_LOOP */
	uint8_t source_count, target_count, stored_count, bits; /* bits: of the operation's type */
	bool is_signed, is_memory;                              /* is_memory: loads or stores by address */
	uint32_t reals,
		hashed; /* 1 + block that loads reals, or scrambled numbers, it is made of; 1 + the load; or 0 */
	bool is_counted,
		is_numbered;  /* its requests are counted; constant memory by a register's number, in machine code */
	uint8_t usual, space; /* enum plan_usual, enum ptx_space */
	bool spans_warps;     /* it compares the number of a thread or block, not of a lane */
	uint16_t flags;       /* enum ptx_flags */
	int64_t offset;       /* memory: added to sources[0] */
	const struct ptx_variable
		*home;         /* memory: the variable of the module that it touches, or NULL: not known, or a buffer */
	uint64_t home_address; /* where that lies */
	struct step_source *sources;
	struct step_source *stored; /* where local memory is kept: what goes there */
	uint32_t *targets;          /* registers of the slice, NO_INDEX for those outside */
	const struct plan *callee;
	struct magic magic;
};

struct plan_block {
	struct step *steps;
	uint32_t step_count;
	uint32_t insn_count;       /* executed ones */
	const struct step *branch; /* the branch that ends it, or NULL */
	uint32_t fall, target;     /* blocks, PTX_NO_BASIC_BLOCK: the exit */
	uint32_t reconverge, join; /* where lanes that have parted meet; where all paths do (struct ptx_basic_block) */
	uint32_t loop;             /* innermost */
	uint32_t heads;            /* loop whose header it is, or PTX_NO_LOOP */
	bool always_trip;          /* a header that cannot leave the loop before the trip is over */
	uint64_t *live;            /* set of registers of the slice that are live at its start */
};

/* A byte of a .param variable in a call sequence: it behaves like a register. */
struct parameter_slot {
	const char *symbol;
	int64_t offset;
	uint32_t reg;
};

struct plan {
	const struct ptx_module *module;
	const struct ptx_function *function;
	struct plan_block *blocks;
	uint32_t block_count;
	uint32_t register_count; /* of the slice */
	uint32_t live_words;
	bool keeps_local; /* what is in local memory decides */
	uint8_t *bits;    /* width of each register of the slice */
	struct parameter_slot *parameters;
	size_t parameter_count;
	uint32_t slot_count;
	uint32_t *slot_insn;
	const struct plan *next; /* of the same list */
};

/* The plans of a launch's functions. */
struct plans {
	struct arena *arena;
	const struct evaluate_input *input;
	const struct plan *list;
};

/* ---- plan.c ------------------------------------------------------------------------------------ */

/* Prepares a function with a control-flow graph, and those that it calls; each once. */
const struct plan *plan_make(struct plans *plans, const struct ptx_function *function);

/* ---- query.c ----------------------------------------------------------------------------------- */

bool plan_in_loop(const struct plan *plan, uint32_t block, uint32_t loop);
/* The loop that the block's branch decides to leave or not, or PTX_NO_LOOP. */
uint32_t plan_decided_loop(const struct plan *plan, const struct plan_block *block);
/* What is assumed of the trips of a source loop whose end is not known. */
struct loop_range plan_loop_range(const struct evaluate_input *input, const struct plan *plan, uint32_t loop);
/* Trips of a loop whose end is not known: those assumed for the source's loop, as unrolling divides them; 1 at least.
 */
double plan_unknown_trips(const struct evaluate_input *input, const struct plan *plan, uint32_t loop);
/* Where an indexed branch goes. */
uint32_t plan_indexed_target(const struct plan *plan, const struct plan_block *block, uint64_t index);
/* How often the guard of a step of the plan holds where that is not known; and whether it is taken as not known
 * although it may be. */
struct guard_share plan_share(const struct evaluate_input *input, const struct plan *plan, const struct step *step);
enum guard_doubt plan_guard_doubt(const struct evaluate_input *input, const struct plan *plan, const struct step *step);
static inline double plan_pass(const struct guard_share *share)
{
	return share->inverted ? 1 - share->condition : share->condition;
}
/* The register that stands for a byte of a .param variable, or NO_INDEX. */
uint32_t plan_parameter(const struct plan *plan, const char *symbol, int64_t offset);
/* The bytes of a variable in constant memory as a number. Returns false where they are not all known. bytes: at most 8.
 */
bool plan_constant(const struct evaluate_input *input, const struct ptx_variable *variable, uint64_t offset,
                   unsigned bytes, uint64_t *number);
/* Bytes of a kernel's argument, from an offset on, as a number; of any argument, by its offset in the parameter space.
 * False where they are not all known. bytes: at most 8. */
bool plan_argument(const struct evaluate_input *input, size_t index, uint64_t offset, unsigned bytes, uint64_t *number);
bool plan_argument_at(const struct evaluate_input *input, uint64_t offset, unsigned bytes, uint64_t *number);
static inline bool plan_set_has(const uint64_t *set, uint32_t index)
{
	return set[index / 64] >> (index % 64) & 1;
}

/* ---- rules.c ----------------------------------------------------------------------------------- */

const struct plan_rule *plan_rule(const struct ptx_insn *insn);
/* Bytes of a step's home. */
static inline uint64_t plan_home_bytes(const struct step *step)
{
	return step->home->count * ptx_type_bytes((enum ptx_type)step->home->type);
}
/* Loads or stores what may be local memory. */
bool plan_is_local(const struct ptx_insn *insn);
/* Memory whose requests are counted. */
bool plan_is_memory(const struct ptx_insn *insn);
/* Whether an instruction of a function loads constant memory or parameters by a register's number in machine code:
 * lanes may ask for different words. */
bool plan_is_numbered(const struct ptx_function *function, const struct ptx_insn *insn);
/* Width in bits of a register of that type; 1 for predicates. */
unsigned plan_type_bits(enum ptx_type type);
/* Width in which the operation reads its source of that position. */
unsigned plan_source_bits(const struct ptx_insn *insn, unsigned position);

/* ---- within the room ------------------------------------------------------------------------------ */

/* While a plan is made. */
struct planner {
	struct plans *plans;
	struct arena *arena;
	const struct ptx_function *function;
	struct plan *plan;
	bool *needed;     /* by register of the function */
	uint32_t *number; /* register of the function -> of the slice */
	uint32_t *work;   /* registers whose definitions are still to be looked at */
	size_t work_count;
	uint32_t *first_definition, *definitions; /* instructions that write a register */
	uint32_t *decides;                        /* by instruction: loop that its comparison decides, or PTX_NO_LOOP */
	struct wide_product *products; /* by register of the slice: what magic.c knows of it; NULL: nothing yet */
	uint32_t *writes;              /* likewise: how often a step that magic.c has seen wrote it */
};

/* slice.c: marks the registers of the slice. */
void plan_slice(struct planner *planner);
/* Whether an instruction is made a step: it writes the slice, is guarded, or has effects that matter. */
bool plan_is_run(struct planner *planner, const struct ptx_insn *insn);
/* live.c: which registers are live at each block's start. */
void plan_live(struct planner *planner);
/* operands.c: gives the bytes of .param variables in call sequences their registers. */
void plan_parameters(struct planner *planner);
/* Resolves a step's sources and targets. */
void plan_operands(struct planner *planner, struct step *step);
/* home.c: the variable of the module that an address leads into by arithmetic alone, or NULL. */
const struct ptx_variable *plan_home(const struct planner *planner, const struct ptx_operand *address);
/* home.c: sets a step's `reals` and `hashed`. */
void plan_numbers(const struct planner *planner, const struct ptx_operand *address, struct step *step);
/* The function that a call names, with a body, or NULL. */
const struct ptx_function *plan_called(const struct planner *planner, const struct ptx_insn *insn);
/* magic.c: finds products of the block's registers with constants, and the shifts that make quotients of them. */
void plan_magic(struct planner *planner, struct plan_block *block);
/* spans.c: sets `spans_warps`. */
void plan_spans(struct planner *planner);
/* usual.c: finds comparisons that look for special cases of arithmetic. */
void plan_usual(struct planner *planner);

#endif
