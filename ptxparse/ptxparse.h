/*
 * ptxparse: PTX text -> struct ptx_module -> control flow, loops, unroll factors.
 *
 * The parser is flex and bison (lexer.l, parser.y; reentrant, pure, prefixed ptx_). The closed sets below are rows of
 * X-macro tables: types.def, operations.def (what instructions do), opcodes.def and modifiers.def (how they are spelt).
 * An instruction is described by what it does (operation, type, operands, effects on registers, predicates and memory),
 * not by its spelling, so that another reader - of the machine code in a cubin, say - can fill the same structures.
 *
 * Requires nothing but base/. Knows nothing of CUDA source, layouts or machines.
 */
#ifndef COALESCE_PTXPARSE_PTXPARSE_H
#define COALESCE_PTXPARSE_PTXPARSE_H

#include "base/base.h"

/* ---- types.def / opcodes.def: the closed sets ---------------------------- */

/* Scalar types: X(name, bits, class) with class I (signed), U (unsigned), B (untyped), F (floating), P (predicate). */
enum ptx_type {
	PTX_TYPE_NONE,
#define X(name, bits, class) PTX_##name,
#include "ptxparse/types.def"
#undef X
	PTX_TYPE_COUNT
};
/* Width in bytes of one element of the type; 0 for NONE and predicates. */
unsigned ptx_type_bytes(enum ptx_type type);
bool ptx_type_is_signed(enum ptx_type type);
bool ptx_type_is_float(enum ptx_type type);
const char *ptx_type_name(enum ptx_type type); /* "u32" */

enum ptx_space { SPACE_NONE, SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_PARAM, SPACE_TEXTURE };
const char *ptx_space_name(enum ptx_space space);

/*
 * What an instruction does: X(operation, unit, latency, flags). One row for each operation of the ISA; several
 * spellings (add, add.cc; ld, ldu) may share one row. OP_OPAQUE is an instruction the table does not know.
 */
enum ptx_operation {
	OP_OPAQUE,
#define X(operation, unit, latency, flags) OP_##operation,
#include "ptxparse/operations.def"
#undef X
	OP_COUNT
};
/* Which part of the processor executes it. */
enum ptx_unit {
	UNIT_NONE,
	UNIT_FP32,
	UNIT_FP64,
	UNIT_FP16,
	UNIT_INT,
	UNIT_INT_MULTIPLY,
	UNIT_SHIFT_COMPARE,
	UNIT_SFU,
	UNIT_CONVERT,
	UNIT_MOVE,
	UNIT_CONTROL,
	UNIT_LOAD_STORE,
	UNIT_TEXTURE,
	UNIT_SHUFFLE,
	UNIT_BARRIER,
	UNIT_TENSOR,
	UNIT_COUNT
};
/* How long the result takes, as a class; cycles are the machine file's business. */
enum ptx_latency {
	LATENCY_NONE,     /* no result to wait for */
	LATENCY_SHORT,    /* fixed-latency arithmetic */
	LATENCY_LONG,     /* special functions, conversions, shuffles, matrices: tens of cycles */
	LATENCY_MEMORY,   /* depends on where the data are */
	LATENCY_SEQUENCE, /* a software sequence of arithmetic */
	LATENCY_BARRIER   /* depends on other warps */
};
/* Properties of operations; an operation has any number of them. */
enum ptx_flags {
	FLAG_LOAD = 1,
	FLAG_STORE = 2,
	FLAG_ATOMIC = 4,
	FLAG_BRANCH = 8,
	FLAG_EXIT = 16,
	FLAG_CALL = 32,
	FLAG_BARRIER = 64,
	FLAG_SEQUENCE = 128 /* many machine instructions: division, square root, ... */
};
const char *ptx_operation_name(enum ptx_operation operation);
/* The unit that executes an instruction, its type considered (add.f64 runs on UNIT_FP64, add.s32 on UNIT_INT). */
struct ptx_insn;
enum ptx_unit ptx_insn_unit(const struct ptx_insn *insn);
enum ptx_latency ptx_insn_latency(const struct ptx_insn *insn);

/*
 * Comparison of setp/set, boolean combination, mul mode, rounding: further closed sets, decoded from the modifiers.
 * COMPARE_UNORDERED is .num and .nan; .equ, .neu, .ltu, ... are COMPARE_EQ, _NE, _LT, ... with ptx_insn.unordered set,
 * and the unsigned .lo, .ls, .hi, .hs are COMPARE_LT, _LE, _GT, _GE.
 */
enum ptx_compare { COMPARE_NONE, COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE, COMPARE_UNORDERED };
enum ptx_mode {
	MODE_NONE,
	MODE_LO,
	MODE_HI,
	MODE_WIDE,
	MODE_CLAMP,
	MODE_WRAP, /* shf, bmsk, szext */
	MODE_RN,
	MODE_RZ,
	MODE_RM,
	MODE_RP,
	MODE_RNI,
	MODE_RZI,
	MODE_RMI,
	MODE_RPI,          /* rounding */
	MODE_SHIFT_AMOUNT, /* bfind.shiftamt */
	MODE_OTHER         /* prmt.f4e, ...: not the plain form */
};
/* Cache operator of a memory instruction: .ca .cg .cs .lu .cv .wb .wt .L1::no_allocate; 0 where none is given. */
enum ptx_cache {
	CACHE_DEFAULT,
	CACHE_ALL,
	CACHE_GLOBAL,
	CACHE_STREAMING,
	CACHE_LAST_USE,
	CACHE_VOLATILE,
	CACHE_WRITE_BACK,
	CACHE_WRITE_THROUGH,
	CACHE_NO_ALLOCATE
};

/* Special registers whose values a launch determines, and the rest. */
enum ptx_special {
	SPECIAL_TID_X,
	SPECIAL_TID_Y,
	SPECIAL_TID_Z,
	SPECIAL_NTID_X,
	SPECIAL_NTID_Y,
	SPECIAL_NTID_Z,
	SPECIAL_CTAID_X,
	SPECIAL_CTAID_Y,
	SPECIAL_CTAID_Z,
	SPECIAL_NCTAID_X,
	SPECIAL_NCTAID_Y,
	SPECIAL_NCTAID_Z,
	SPECIAL_LANEID,
	SPECIAL_WARPID,
	SPECIAL_NWARPID,
	SPECIAL_LANEMASK_EQ,
	SPECIAL_LANEMASK_LE,
	SPECIAL_LANEMASK_LT,
	SPECIAL_LANEMASK_GE,
	SPECIAL_LANEMASK_GT,
	SPECIAL_DYNAMIC_SHARED_SIZE,
	SPECIAL_TOTAL_SHARED_SIZE,
	SPECIAL_OTHER /* clock, smid, ...: value unknown */
};
const char *ptx_special_name(enum ptx_special special); /* "%tid.x"; "%other" for SPECIAL_OTHER */

/* ---- the parsed module ---------------------------------------------------- */

enum ptx_operand_kind {
	OPERAND_NONE,
	OPERAND_REGISTER,  /* reg */
	OPERAND_IMMEDIATE, /* value: integer, or the bit pattern of a floating literal of the instruction's type */
	OPERAND_SPECIAL,   /* value: enum ptx_special */
	OPERAND_SYMBOL,    /* symbol: address of a variable, parameter or function; value: byte offset */
	OPERAND_ADDRESS,   /* [reg + value] or [symbol + value]; reg is PTX_NO_REGISTER where there is none */
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
	uint8_t space;             /* enum ptx_space, memory operations, cvta and isspacep; GENERIC where none is spelt */
	uint8_t compare, mode;     /* enum ptx_compare, enum ptx_mode */
	uint8_t vector;            /* elements accessed: 1, 2, 4, 8 */
	uint8_t operand_count, destinations;
	bool guarded, guard_negated, uniform; /* @%p, @!%p; bra.uni */
	bool volatile_access;                 /* .volatile, .relaxed, .acquire, .release, .mmio: does not stop at L1 */
	uint8_t atomic;                       /* enum ptx_atomic of atom and red, 0 for others */
	uint8_t boolean;                      /* enum ptx_boolean: how setp combines its result with a further predicate */
	uint32_t guard;                       /* register */
	uint32_t line;                        /* line in the PTX text, from 1 */
	uint32_t place;                       /* index into ptx_module.places */
	uint8_t cache;                        /* enum ptx_cache */
	bool noncoherent : 1;                 /* ld.global.nc */
	bool unordered : 1;                   /* comparison that also holds when an operand is NaN */
	bool carry : 1;                       /* .cc: writes the carry that addc, subc, madc read */
	bool saturate : 1;                    /* .sat */
	bool no_return : 1;                   /* call of a .noreturn function */
	bool synthetic : 1;   /* of machine code: not executed itself, says what an instruction beside it does (sass_parse) */
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
unsigned ptx_insn_flags(const struct ptx_insn *insn);

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
	/* Parameters: byte offset in the parameter space. Local: in the function's frame. Shared: module variables first,
	 * then the function's own; those of size 0 (dynamic) begin at the function's shared_bytes, aligned; 0 here. */
	uint64_t offset;
	const uint8_t *initial; /* bytes of the initial value where it is made of plain numbers, else NULL */
	uint64_t initial_bytes; /* how many bytes initial holds; what follows is zero */
	bool is_extern;
	uint32_t line;
};

struct ptx_function {
	const char *name; /* mangled */
	bool is_kernel, has_body, no_return;
	/* locals: .shared/.local/.global/.const variables declared in the body; not the .param ones of call sequences */
	struct ptx_variable *parameters, *results, *locals;
	size_t parameter_count, result_count, local_count;
	struct ptx_register *registers;
	size_t register_count;
	struct ptx_insn *insns;
	size_t insn_count;
	uint32_t line;
	uint32_t required_threads[3], maximum_threads[3]; /* .reqntid, .maxntid; 0 where not given */
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

/*
 * Parses the text of a PTX file. path names it in diagnostics only. Everything lives in arena. Returns NULL when the
 * text is not PTX or is cut off (an error with its line was reported); an unknown instruction or directive is kept
 * opaque with one warning for its line.
 */
struct ptx_module *ptx_parse(struct arena *arena, const char *path, const char *text, size_t length,
                             struct diagnostics *diagnostics);
/* The function of that mangled name, or NULL. */
struct ptx_function *ptx_module_find(const struct ptx_module *module, const char *name);
/* The variable that a symbol names: local, parameter, result, else of the module (function may be NULL), or NULL. */
const struct ptx_variable *ptx_variable_find(const struct ptx_module *module, const struct ptx_function *function,
                                             const char *symbol);

/* ---- cfg.c, loops.c: control flow ----------------------------------------- */

#define PTX_NO_BLOCK UINT32_MAX
#define PTX_NO_LOOP UINT32_MAX

struct ptx_block {
	uint32_t first, count;  /* instructions first .. first + count - 1 */
	uint32_t successors[2]; /* fall-through first, then the branch target; PTX_NO_BLOCK where absent */
	uint32_t *targets;      /* further successors of an indirect branch (brx.idx) */
	uint32_t target_count;
	uint32_t *predecessors;
	uint32_t predecessor_count;
	uint32_t dominator;      /* immediate; PTX_NO_BLOCK for the entry and unreachable blocks */
	uint32_t post_dominator; /* immediate: where diverged lanes meet again; PTX_NO_BLOCK = at the exit */
	uint32_t loop;           /* innermost loop that holds it, or PTX_NO_LOOP */
	bool reachable;
};

/*
 * A natural loop; irreducible regions are one loop with irreducible = true, and so is one nested 32 deep that holds
 * further loops. The unroll factor is read as the thesis does (section 3.3): the setp that decides the back branch
 * compares the counter register, and the constant added to it in the body is the step. Beyond it: the update may run
 * through copies, and where the branch back is unconditional the setp that leaves the loop decides.
 */
struct ptx_loop {
	uint32_t header, parent; /* block; enclosing loop or PTX_NO_LOOP */
	uint32_t depth;          /* 1 for outermost */
	uint32_t *blocks;        /* sorted, inner loops' blocks included; never empty */
	uint32_t block_count;
	uint32_t *latches; /* blocks with an edge back to the header */
	uint32_t latch_count;
	bool irreducible;
	uint32_t counter;         /* register, PTX_NO_REGISTER when not recognised */
	int64_t step;             /* constant added to the counter per trip; 0 when not a constant */
	uint32_t compare_insn;    /* index of the setp, UINT32_MAX when not recognised */
	struct ptx_operand bound; /* what the counter is compared with */
	bool innermost;
	uint32_t place; /* .loc place of the branch back, which nvcc gives the loop statement */
	/* Compilers split a loop into one unrolled and one for the trips left over: innermost loops side by side, of one
	 * place, of which one moves a multiple of the other's bytes in a trip. Without .loc they are not told. */
	uint32_t remainder_of;  /* the unrolled loop whose left-over trips this one does, or PTX_NO_LOOP */
	uint32_t unroll_factor; /* of a loop that has a remainder loop: trips of the source in one trip; else 1 */
};

struct ptx_cfg {
	struct ptx_block *blocks;
	uint32_t block_count;
	uint32_t *reverse_postorder; /* block indices; reachable ones only */
	uint32_t reachable_count;
	struct ptx_loop *loops; /* outer loops before inner ones, in program order */
	uint32_t loop_count;
};

/* Builds blocks, edges, dominators, post-dominators and loops of a function with a body; ptx_cfg_check()s them. */
void ptx_function_analyse(struct arena *arena, struct ptx_function *function);
/* Verifies the invariants of a control-flow graph; bug() on violation. */
void ptx_cfg_check(const struct ptx_function *function);

/* ---- sass*.c: machine code -------------------------------------------------- */

/* What the encoding of one machine instruction says to the scheduler, and where it runs. Barriers: 7 where there is none. */
struct sass_control {
	uint32_t address;                    /* in its function's code */
	uint8_t unit;                        /* enum ptx_unit; of the uniform datapath where uniform is set */
	uint8_t stall;                       /* cycles until the warp's next instruction may issue */
	uint8_t write_barrier, read_barrier; /* scoreboard set when the result is there; when the sources were read */
	uint8_t wait_mask;                   /* scoreboards waited for before it issues */
	uint8_t reuse;                       /* source operands kept in the operand cache */
	bool yield, uniform;
};

struct sass_code {
	const struct sass_control *control; /* for each ptx_insn; a synthetic one has its instruction's */
	uint32_t register_count;            /* of a thread, as allocated */
	uint32_t stack_bytes, code_bytes;   /* local memory of a thread; length of the function with its padding */
	uint32_t opaque;                    /* machine instructions of unknown effect */
	uint32_t cold_calls;                /* calls of slow paths of arithmetic, which are taken never to be executed */
};

/*
 * Reads a cubin and its listing, the JSON that `nvdisasm -json -g CUBIN` prints (13.0 and later), for sm_70 and later. Gives
 * the kernels as if they were PTX, analysed (ptx_function_analyse). An instruction without `synthetic` is one executed machine
 * instruction, spelled as in the listing; line is its number in its function, from 1. Before and after it stand synthetic ones:
 * together they compute what it computes, on 32-bit registers, 64-bit pairs and predicates. A guarded machine instruction is
 * executed also where its guard holds for no lane. Called functions are copied to each place of call. Diverged lanes meet where the code says so
 * (BSSY), and ptx_block.post_dominator is that place; where it says nothing they do not meet before the exit. Parameters are
 * those of the cubin, named as in PTX (NAME_param_0). Returns NULL with an error reported when either input is not what it should be; what an
 * unknown opcode writes is unknown, with one warning for each opcode.
 */
struct ptx_module *sass_parse(struct arena *arena, const char *path, const void *cubin, size_t cubin_length, const char *json,
                              size_t json_length, struct diagnostics *diagnostics);
/* Machine instructions with their control fields, and the instructions that say what they do. */
void sass_dump(struct text *out, const struct ptx_module *module);

/* ---- dump.c: the stable text form ------------------------------------------ */

/* Kernels, registers, blocks, instructions with places. */
void ptx_dump(struct text *out, const struct ptx_module *module);
/* Blocks with successors, dominators, loops with counter, step, bound. */
void ptx_dump_cfg(struct text *out, const struct ptx_module *module);
/* Memory instructions alone: space, kind, width, vector, place. */
void ptx_dump_memory(struct text *out, const struct ptx_module *module);

#endif
