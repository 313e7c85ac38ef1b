/*
 * Control flow of machine code before it is translated: what each branch of a listing does, and a kernel's blocks, with
 * the functions that it calls copied to each place of call.
 */
#ifndef COALESCE_PTXPARSE_SASS_FLOW_H
#define COALESCE_PTXPARSE_SASS_FLOW_H

#include "ptxparse/sass/insn.h"
#include "ptxparse/sass/cubin/cubin.h"

/* ---- survey.c: control within a listing ---- */

/* Whether a branch's predicates decide. NEVER, ALWAYS: of BRA.DIV, BRA.CONV, and of branches around slow paths. */
enum sass_choice { CHOICE_NEVER, CHOICE_ALWAYS, CHOICE_CONDITION };

struct sass_survey {
	const struct sass_listing *listing;
	bool *leader;    /* by instruction: a block begins there; one more than there are instructions */
	uint8_t *choice; /* enum sass_choice of branches */
	uint32_t cold;   /* the first branch around a slow path; SASS_NO_BLOCK */
};
/* Returns how many branches around slow paths there are. Branches around what ends the launch are taken, too. */
uint32_t sass_survey_make(struct arena *arena, const struct cubin *cubin, const struct sass_listing *listing,
                          struct sass_survey *survey);
/* Whether the block ends after the instruction. Exits under a guard are passed. */
bool sass_survey_ends_block(const struct sass_survey *survey, uint32_t index);
/* The instruction that a branch or BSSY names; SASS_NO_BLOCK where it is none of the listing. */
uint32_t sass_named_insn(const struct sass_listing *listing, const struct sass_insn *insn);

/* ---- callee.c: functions of the system ---- */

struct sass_callee {
	const char *name, *spelling; /* of its symbol; as a program calls it */
	uint8_t words;               /* of its result, from R4 on */
	bool ends;                   /* it does not return: the launch has failed */
};
/* The function of the system that a call goes to, by an address in a register; NULL where it is another one, or not
 * known. */
const struct sass_callee *sass_callee_find(const struct cubin *cubin, const struct sass_listing *listing,
                                           uint32_t index);

/* Whether the target of a call is in a register: function pointers, virtual functions. */
bool sass_call_is_indirect(const struct sass_insn *call);

/* ---- flow.c: blocks ---- */

enum sass_end { END_FALL, END_JUMP, END_BRANCH, END_INDEXED, END_EXIT };

/* A function copied to a place of call. */
struct sass_context {
	const struct sass_listing *listing;
	uint32_t parent, caller; /* context; SASS_NO_BLOCK for the kernel itself. Leader to return to in the parent */
	uint32_t entry;          /* instruction */
	uint32_t depth;
};

struct sass_basic_block {
	uint32_t context, first, count; /* instructions first .. first + count - 1 of the context's listing */
	enum sass_end end;
	uint32_t fall, target; /* blocks, or SASS_NO_BLOCK */
	uint32_t *targets;     /* of an indexed branch: one for each entry of its table */
	uint32_t target_count;
	uint32_t meet; /* block where diverged lanes meet; SASS_NO_BLOCK */
	uint32_t *predecessors;
	uint32_t predecessor_count;
	/* translate/ */
	/* Sets of keys: wanted at its start, and at its end; not to be had at its start; handed through; that it cannot
	 * give. */
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
	struct sass_basic_block *blocks; /* in the order in which they are emitted */
	size_t block_count;
	uint32_t cold_calls, cold_first; /* the first one's branch in the kernel's listing; SASS_NO_BLOCK */
	bool too_large;
};

void sass_flow_build(struct sass_flow *flow);

#endif
