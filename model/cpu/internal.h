/* What the files of the room share. */
#ifndef COALESCE_MODEL_CPU_INTERNAL_H
#define COALESCE_MODEL_CPU_INTERNAL_H

#include "model/cpu/cpu.h"

#define CPU_NO_CASE UINT32_MAX
#define CPU_MANY UINT32_MAX

/* What a piece of a segment's loop does. */
enum cpu_item_kind {
	ITEM_WHOLE,   /* an instruction of one lane */
	ITEM_MEMBERS, /* the lanes that an instruction waits for */
	ITEM_SOURCES, /* what lanes hand to an instruction that they execute together */
	ITEM_RESULTS, /* what they get back */
	ITEM_GUARD,   /* which lanes execute what ends the segment */
	ITEM_BARRIER, /* number and count of a barrier */
	ITEM_REDUCED  /* what a barrier's reduction gave */
};
struct cpu_item {
	enum cpu_item_kind kind;
	uint32_t insn;
};
/* What follows a segment. */
enum cpu_end { END_NONE, END_CASE, END_JOIN, END_TOGETHER, END_CALL, END_BRANCH, END_RETURN, END_BARRIER };
/* A loop over lanes. Its loads and its stores do not mix, as all lanes load before any of them stores. */
struct cpu_segment {
	uint32_t number; /* of the case that begins with it; CPU_NO_CASE */
	struct cpu_item *items;
	size_t item_count;
	enum cpu_end end;
	uint32_t insn; /* that `end` belongs to */
	bool loads, stores;
};
/* Memory of a lane for a parameter of a call. */
struct cpu_slot {
	const char *name;
	uint64_t offset, bytes;
};
struct cpu_function {
	const struct ptx_function *ptx;
	unsigned number;
	const char *refused; /* why it is not translated, or NULL */
	bool planned, wanted;
	struct cpu_segment *segments;
	size_t segment_count;
	uint32_t case_count, *case_at; /* by instruction: of the case that begins there */
	uint32_t *home; /* by register: the only segment that names it, or CPU_MANY; the last one is the carry */
	const struct ptx_operand **constant; /* by register: the number that it always is, or NULL */
	uint64_t *parameter_at, *result_at;  /* offsets in the frame */
	uint64_t local_at, frame_bytes;
	struct cpu_slot *slots;
	size_t slot_count;
};
struct cpu_translation {
	struct arena *arena;
	const struct ptx_module *module;
	unsigned number; /* of the module */
	struct cpu_function *functions, *function;
	struct text *out;
	uint32_t segment; /* that is written */
	uint8_t *uses;    /* by register: how it uses it; zero between segments */
};

/* Notes why the function cannot be translated; the first reason counts. */
void cpu_refuse(struct cpu_translation *t, const struct ptx_insn *insn, const char *why);
struct cpu_function *cpu_function_find(const struct cpu_translation *t, const char *name);

/* ---- plan.c ---- */
void cpu_plan(struct cpu_translation *t);
/* Calls see() for each register that an item names. sure: it is written whatever the guard says. */
typedef void cpu_see(void *context, uint32_t reg, bool written, bool sure);
void cpu_item_registers(const struct cpu_function *function, const struct cpu_item *item, cpu_see *see, void *context);
bool cpu_is_together(const struct ptx_insn *insn);
bool cpu_is_builtin(const struct ptx_insn *insn);
/* Whether it changes nothing where one thread runs all lanes. */
bool cpu_is_nothing(const struct ptx_insn *insn);
/* The operand that says which lanes an instruction waits for, or NULL. */
const struct ptx_operand *cpu_members(const struct ptx_insn *insn);

/* ---- operand.c ---- */
void cpu_frame_plan(struct cpu_translation *t);
/* The type of a register in C. */
const char *cpu_register_type(const struct ptx_function *function, uint32_t reg);
/* An expression for a source operand, as wide as its register. */
const char *cpu_value(struct cpu_translation *t, const struct ptx_insn *insn, const struct ptx_operand *operand);
const char *cpu_source(struct cpu_translation *t, const struct ptx_insn *insn, unsigned index);
/* An expression for the byte that an address operand leads to. */
const char *cpu_address(struct cpu_translation *t, const struct ptx_insn *insn, const struct ptx_operand *operand,
                        enum ptx_space space);
/* The same for a variable of parameters, in the frame at `frame`. NULL: there is none of the name. */
const char *cpu_slot_address(struct cpu_translation *t, const char *symbol);
/* Writes "r1 = expression;", or nothing for a sink. */
void cpu_assign(struct cpu_translation *t, const struct ptx_operand *to, const char *expression);

/* ---- spelling.c ---- */
/* Whether a spelling has a word between its dots. */
bool cpu_says(const struct ptx_insn *insn, const char *word);
/* Whether all words of a spelling have a meaning here. */
bool cpu_spelling_known(const struct ptx_insn *insn);

/* ---- lane.c ---- */
void cpu_segment_write(struct cpu_translation *t, uint32_t index);

/* ---- compute.c, convert.c, access.c ---- */
void cpu_compute(struct cpu_translation *t, const struct ptx_insn *insn);
void cpu_convert(struct cpu_translation *t, const struct ptx_insn *insn);
/* A real number out of bits of a type, and bits of a result; NULL: the type is not known. */
const char *cpu_real(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type type, const char *bits);
const char *cpu_bits(struct cpu_translation *t, const struct ptx_insn *insn, enum ptx_type type, const char *real);
bool cpu_accesses(const struct ptx_insn *insn);
void cpu_access(struct cpu_translation *t, const struct ptx_insn *insn);
void cpu_builtin(struct cpu_translation *t, const struct ptx_insn *insn);

/* ---- flow.c ---- */
void cpu_end_write(struct cpu_translation *t, uint32_t index);

#endif
