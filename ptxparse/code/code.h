/*
 * Code as a module holds it: functions with instructions, operands, registers, variables, and places in the source.
 *
 * An instruction is described by what it does (operation, type, operands, effects on registers, predicates and memory),
 * not by its spelling, so that machine code fills the same structures as PTX text. Everything lives in the module's
 * arena.
 */
#ifndef COALESCE_PTXPARSE_CODE_CODE_H
#define COALESCE_PTXPARSE_CODE_CODE_H

#include "ptxparse/code/sets.h"

enum ptx_operand_kind {
	OPERAND_NONE,
	OPERAND_REGISTER,  /* reg */
	OPERAND_IMMEDIATE, /* value: integer, or the bit pattern of a floating literal of the instruction's type */
	OPERAND_SPECIAL,   /* value: enum ptx_special; symbol: its name */
	OPERAND_SYMBOL,    /* symbol: address of a variable, parameter or function; value: byte offset */
	OPERAND_ADDRESS,   /* [reg + value], [symbol + value] or [reg + symbol + value]; reg is PTX_NO_REGISTER where
	                      there is none */
	OPERAND_VECTOR,    /* elements[0..count-1], of any kind but VECTOR */
	OPERAND_LABEL,     /* value: index of the instruction the label stands before; insn_count for one at the end */
	OPERAND_SINK       /* _ */
};
#define PTX_NO_REGISTER UINT32_MAX

struct ptx_operand {
	uint8_t kind;   /* enum ptx_operand_kind */
	bool negated;   /* !%p as a source predicate; -%r in a video instruction */
	uint16_t count; /* VECTOR: number of elements */
	uint32_t reg;   /* index into ptx_function.registers */
	union {
		int64_t value;
		struct ptx_operand *elements;
	};
	const char *symbol; /* interned */
};

/* Where an instruction came from, by .loc. Index 0 of ptx_module.places is "unknown" (file NULL, line 0). */
struct ptx_place {
	struct place place;   /* file as in .file; line 0 where the compiler gives none */
	const char *function; /* inlined function (mangled), or NULL */
	uint32_t inlined_at;  /* index of the place of the call, 0 if not inlined */
};

/*
 * One instruction. Destinations come first in operands: destinations of them are written, the rest are read.
 *   %p|%q, {a,b}|%p        two destinations
 *   ld, ldu, atom, tex     operands[0] is the destination, operands[1] the address; st, red: operands[0] is the address
 *   [t, {x, y}], [t, s, {x}] of textures and tensors: an ADDRESS [t] (then one of [s]), followed by the VECTOR
 *   bra L                  one LABEL; brx.idx %r, list: the register, then a VECTOR of LABELs (the .branchtargets)
 *   call (r), f, (a, b)    results (destinations), then the callee (SYMBOL, or REGISTER when indirect), then the
 *                          arguments; a prototype or target list is not kept. Parameters are SYMBOLs of .param
 *                          variables as in the text
 *   cp.async [d], [s], n   shared destination address first; space is that of the source (global)
 * An OP_OPAQUE instruction is taken to write its first operand unless that is an address.
 */
struct ptx_insn {
	uint16_t operation;        /* enum ptx_operation */
	uint8_t type, source_type; /* enum ptx_type: destination (or only) type; source type of cvt, set, ... */
	uint8_t space;         /* enum ptx_space, memory operations, cvta and isspacep; GENERIC where none is spelt */
	uint8_t compare, mode; /* enum ptx_compare, enum ptx_mode */
	uint8_t vector;        /* elements accessed: 1, 2, 4, 8 */
	uint8_t operand_count, destinations;
	bool guarded, guard_negated, uniform; /* @%p, @!%p; bra.uni */
	bool volatile_access;                 /* .volatile, .relaxed, .acquire, .release, .mmio: does not stop at L1 */
	uint8_t atomic;                       /* enum ptx_atomic of atom and red, 0 for others */
	uint8_t boolean;      /* enum ptx_boolean: how setp combines its result with a further predicate */
	uint32_t guard;       /* register */
	uint32_t line;        /* line in the PTX text, from 1 */
	uint32_t place;       /* index into ptx_module.places */
	uint8_t cache;        /* enum ptx_cache */
	bool noncoherent : 1; /* ld.global.nc */
	bool unordered : 1;   /* comparison that also holds when an operand is NaN */
	bool carry : 1;       /* .cc: writes the carry that addc, subc, madc read */
	bool saturate : 1;    /* .sat */
	bool no_return : 1;   /* call of a .noreturn function */
	bool synthetic : 1;   /* of machine code: not executed itself, says what an instruction beside it does
	                         (sass_parse) */
	const char *spelling; /* interned full spelling with modifiers: "ld.global.nc.v4.f32" */
	struct ptx_operand *operands;
};
/* ATOMIC_NONE with FLAG_ATOMIC is one not listed. */
enum ptx_atomic {
	ATOMIC_NONE,
	ATOMIC_ADD,
	ATOMIC_EXCH,
	ATOMIC_CAS,
	ATOMIC_MIN,
	ATOMIC_MAX,
	ATOMIC_AND,
	ATOMIC_OR,
	ATOMIC_XOR,
	ATOMIC_INC,
	ATOMIC_DEC
};
enum ptx_boolean { BOOLEAN_NONE, BOOLEAN_AND, BOOLEAN_OR, BOOLEAN_XOR };

/* Bytes that one lane of a memory instruction moves: type width times vector; the size operand of cp.async. */
unsigned ptx_insn_access_bytes(const struct ptx_insn *insn);
unsigned ptx_insn_flags(const struct ptx_insn *insn); /* enum ptx_flags, or'ed */
/* Whether it is an atomic operation that raises a counter of integers: lanes of a warp that raise the same one get
 * numbers in a row. */
bool ptx_insn_counts(const struct ptx_insn *insn);
/* The unit that executes an instruction, its type considered (add.f64 runs on UNIT_FP64, add.s32 on UNIT_INT). */
enum ptx_unit ptx_insn_unit(const struct ptx_insn *insn);
enum ptx_latency ptx_insn_latency(const struct ptx_insn *insn);

/*
 * Registers are numbered by function in order of their first use in the text: registers declared and never used have no
 * number, so `.reg .b32 %r<4000000000>` costs nothing. A name declared again in a nested scope is another register. The
 * elements of a vector register (.reg .v4 .f32 v) are registers "v.x", "v.y", ...
 */
struct ptx_register {
	const char *name; /* "%r12" */
	uint8_t type;     /* enum ptx_type; PTX_pred for predicates */
};

/* A variable of any space, also a kernel or function parameter. */
struct ptx_variable {
	const char *name;
	uint8_t type, space;
	uint32_t align_bytes;
	uint64_t count; /* elements; 1 for scalars; 0 for `extern .shared x[]` */
	/* Parameters: byte offset in the parameter space. Local: in the function's frame. Shared: module variables
	 * first, then the function's own; those of size 0 (dynamic) begin at the function's shared_bytes, aligned; 0
	 * here. */
	uint64_t offset;
	const bool
		*initial_known; /* which bytes of initial are what a launch finds there; NULL: nothing is known of it */
	const uint8_t *initial; /* bytes of the initial value where it is made of plain numbers, else NULL */
	uint64_t initial_bytes; /* how many bytes initial holds; what follows is zero */
	bool initial_symbols;   /* it begins with a value that is not made of plain numbers */
	bool is_extern;
	uint32_t line;
};

/* What is known of a variable in constant memory beside its text: filled in by the host before launches. */
struct ptx_content {
	const char *name; /* as declared, without the namespaces that it lies in */
	const uint8_t *bytes;
	const bool *known; /* per byte */
	uint64_t size;
};

struct ptx_function {
	const char *name; /* mangled */
	bool is_kernel, has_body, no_return;
	/* locals: .shared/.local/.global/.const variables declared in the body; not the .param ones of call sequences
	 */
	struct ptx_variable *parameters, *results, *locals;
	size_t parameter_count, result_count, local_count;
	struct ptx_register *registers;
	size_t register_count;
	struct ptx_insn *insns;
	size_t insn_count;
	uint32_t line;
	uint32_t required_threads[3], maximum_threads[3]; /* .reqntid, .maxntid; 0 where not given */
	uint32_t cluster_blocks[3];                       /* .reqnctapercluster; 0 where not given */
	uint32_t minimum_blocks, maximum_registers;       /* .minnctapersm, .maxnreg; 0 where not given */
	uint64_t shared_bytes, local_bytes;               /* of all declared variables; shared: the module's included */
	struct ptx_cfg *cfg;                              /* NULL until ptx_function_analyse() */
	const struct sass_code *sass;                     /* of machine code, else NULL */
};

struct ptx_module {
	struct arena *arena;
	const char *path;
	unsigned version_major, version_minor, address_bits;
	const char *target; /* "sm_90" */
	struct ptx_function *functions;
	size_t function_count;
	struct ptx_variable *variables; /* module scope */
	size_t variable_count;
	struct ptx_place *places;
	size_t place_count;
};

/* The function of that mangled name, or NULL. */
/* Whether a symbol is the variable that was declared by a name: itself, or the last name of a mangled one. */
bool ptx_symbol_names(const char *symbol, const char *name);
struct ptx_function *ptx_module_find(const struct ptx_module *module, const char *name);
/* The variable that a symbol names: local, parameter, result, else of the module (function may be NULL), or NULL. */
const struct ptx_variable *ptx_variable_find(const struct ptx_module *module, const struct ptx_function *function,
                                             const char *symbol);

/* Sets what is known of variables in constant memory, of PTX text. */
void ptx_fill(struct ptx_module *module, const struct ptx_content *contents, size_t count);

#endif
