/*
 * analyzer: CUDA source -> struct analysis: kernels with parameters, records, loops, guards, accesses in normal form;
 * launches and host arrays; and, for rewriting, every syntactic reference to an array with its byte ranges.
 *
 * Only clang_*.c see libclang. Everything else works on the types below. "Outside the model" is a value with a reason,
 * never an error: see EXPR_UNKNOWN and struct affine.reason.
 */
#ifndef COALESCE_ANALYZER_ANALYZER_H
#define COALESCE_ANALYZER_ANALYZER_H

#include "base/base.h"

/* ---- symbols and expressions ----------------------------------------------- */

enum symbol_kind {
	SYMBOL_THREAD,     /* threadIdx.<axis> */
	SYMBOL_BLOCK,      /* blockIdx.<axis> */
	SYMBOL_BLOCK_SIZE, /* blockDim.<axis> */
	SYMBOL_GRID_SIZE,  /* gridDim.<axis> */
	SYMBOL_ITERATOR, /* number of finished iterations of a loop, from 0: `for (k = 4; k < n; k += 2)` has k = 4 + 2 * symbol */
	SYMBOL_PARAMETER /* scalar kernel parameter of integer type, or such a member of a record passed by value: "p.n" */
};

/*
 * Invariant: index is its position in kernel.symbols, so that values can be kept in a plain array. The order is blockDim.x .z, gridDim, blockIdx,
 * threadIdx (these twelve are always there), parameters, iterators.
 */
struct symbol {
	enum symbol_kind kind;
	unsigned axis; /* 0, 1, 2 for x, y, z */
	unsigned index;
	const char *
		name; /* "threadIdx.x", "n"; iterator: the loop variable's name, "i#2" where "i" is taken, "loop#2" where there is none */
	const struct loop *loop;           /* ITERATOR */
	const struct parameter *parameter; /* PARAMETER */
};

/* Operators: X(name, spelling, operands). */
#define EXPR_OPERATORS(X)                                                                                                          \
	X(ADD, "+", 2)                                                                                                             \
	X(SUB, "-", 2)                                                                                                             \
	X(MUL, "*", 2)                                                                                                             \
	X(DIV, "/", 2)                                                                                                             \
	X(MOD, "%", 2) X(SHL, "<<", 2) X(SHR, ">>", 2) X(AND, "&", 2) X(OR, "|", 2) X(XOR, "^", 2) X(LT, "<", 2) X(LE, "<=", 2)    \
		X(GT, ">", 2) X(GE, ">=", 2) X(EQ, "==", 2) X(NE, "!=", 2) X(LOGICAL_AND, "&&", 2) X(LOGICAL_OR, "||", 2)          \
			X(NEG, "-", 1) X(NOT, "~", 1) X(LOGICAL_NOT, "!", 1) X(SELECT, "?:", 3) X(MIN, "min", 2) X(MAX, "max", 2)  \
				X(CAST, "cast", 1)
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
 * An integer (or condition) of the kernel as a function of its symbols, locals substituted. C's arithmetic: bits and is_signed give the
 * type in which the operation is done; CAST converts its operand to it. Shared subtrees are allowed; never cyclic.
 */
#define EXPR_TREE_SIZE_MAX 4096
struct expr {
	enum expr_op op;
	uint8_t bits; /* 8, 16, 32, 64; 1 for conditions */
	bool is_signed;
	uint32_t tree_size;          /* nodes when written out as a tree; larger ones than EXPR_TREE_SIZE_MAX become UNKNOWN */
	int64_t value;               /* CONSTANT; LOAD: byte offset of the part meant, where the access reads a whole element */
	const struct symbol *symbol; /* SYMBOL */
	const struct access *load;   /* LOAD */
	const char *reason;          /* UNKNOWN */
	struct place place;          /* UNKNOWN, LOAD */
	const struct expr *operands[3];
};
/*
 * Evaluates with symbol values values[symbol->index]; loads come from load() (NULL: loads are unknown). Returns false where the value
 * depends on something unknown. Wraps as C on the GPU does; division by zero is unknown.
 */
typedef bool expr_load_function(void *context, const struct access *access, const int64_t *values, int64_t *result);
bool expr_evaluate(const struct expr *expr, const int64_t *values, expr_load_function *load, void *context, int64_t *result);
/* Fully parenthesised, stable text. */
void expr_print(struct text *out, const struct expr *expr);

/*
 * Normal form (thesis section 3.1): sum of coefficient * product of symbols. Linear in the target symbols (threads, blocks, iterators): a term
 * has at most one of them; its other symbols (parameters, block and grid sizes) are invariant in the kernel.
 * Not affine: reason is set, terms are none. Terms are sorted by their symbols' indices, no zero coefficients.
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
/* The normal form of an expression; assumes that no operation overflows (C++ says so for signed integers). */
struct affine affine_from_expr(struct arena *arena, const struct expr *expr);
/* Value for given symbol values; only for affine ones. */
int64_t affine_evaluate(const struct affine *affine, const int64_t *values);
/* Coefficient of a symbol's linear term with the other symbols' values given: the thesis's C_t and C_l. */
int64_t affine_coefficient(const struct affine *affine, const struct symbol *symbol, const int64_t *values);
/* "blockDim.x*blockIdx.x + threadIdx.x + 3*k + 5", or "not affine: REASON". */
void affine_print(struct text *out, const struct affine *affine);

/* ---- types and records ------------------------------------------------------ */

/*
 * Byte range [begin, end) of the analysed file's text; empty (begin == end == 0) when it lies in another file. What the body of a macro spells has the
 * range of the macro's call; arguments of macros have their own.
 */
struct range {
	unsigned begin, end;
};

enum scalar_class { SCALAR_SIGNED, SCALAR_UNSIGNED, SCALAR_FLOAT, SCALAR_POINTER, SCALAR_OTHER };

struct type {
	const char *spelling; /* canonical, unqualified: "float", "struct particle" -> "particle" */
	uint64_t size_bytes;
	uint32_t align_bytes;
	enum scalar_class scalar; /* when record is NULL */
	struct record *record;    /* struct, class or vector type (float4), else NULL */
};

/* A member as declared. Member arrays have count > 1 (all dimensions multiplied); nested records have type.record. */
struct member {
	const char *name;
	struct type type; /* of one element for member arrays */
	uint64_t offset_bytes, count;
	unsigned dimension_count, dimensions[4];
	bool is_bitfield;
	struct place place;
	struct range range; /* the declaration */
};

/*
 * A scalar inside a record, nested records and base classes flattened: path "pos.x". Leaves are sorted by offset and do not overlap, unless the record
 * has a union or bit-fields (each of which lies at the offset of the unit that holds it). Records of system headers, except vector types, are scalars.
 */
struct leaf {
	const char *path;       /* "x", "pos.x" */
	const char *identifier; /* path usable in a name: "x", "pos_x" */
	struct type type;
	uint64_t offset_bytes, count; /* count > 1: a member array of scalars */
	uint64_t stride_bytes;        /* between elements of a member array (nested arrays of records), else size */
};

struct record {
	const char *name; /* "particle"; "particle<float>" for instantiations */
	struct type type; /* size with padding, alignment; type.record is itself */
	struct member *members;
	unsigned member_count;
	struct leaf *leaves;
	unsigned leaf_count;
	bool is_vector_type;       /* float2, uchar3, ... of the toolkit's headers */
	const char *opaque_reason; /* why it cannot be laid out anew (union, bit-field, base class, virtual), or NULL */
	struct place place;
	struct range range; /* the whole definition with its `;`, empty for other files */
};

/* ---- kernels ----------------------------------------------------------------- */

struct parameter {
	const char *name;
	unsigned index;
	bool is_pointer, is_const, is_restrict; /* is_const: of the pointee */
	struct type type;                       /* of the scalar, or of the pointee; float for `float (*a)[64]` */
	const struct symbol *symbol;            /* scalars of integer type, else NULL */
	struct array *array;                    /* pointers, else NULL */
	struct place place;
	struct range range; /* the declaration: "const float *a" */
	struct range name_range;
};

enum array_space { ARRAY_GLOBAL, ARRAY_SHARED, ARRAY_CONSTANT, ARRAY_LOCAL, ARRAY_UNKNOWN };
/*
 * Memory that a kernel indexes: a pointer parameter, a pointer in a record passed by value ("g.data"), a __shared__/__constant__/__device__ variable, a
 * local array. Arrays of arrays are flattened. UNKNOWN ("?float") stands for whatever unknown pointers to that type point to.
 */
struct array {
	const char *name;
	enum array_space space;
	struct type element;
	uint64_t count;                    /* elements where declared with a size, else 0 */
	const struct parameter *parameter; /* NULL for variables */
	struct place place;
};

/* A condition under which a statement runs; all of the chain up to the root hold. Branches that leave (return, break, continue) guard what follows. */
struct guard {
	const struct guard *parent;
	const struct expr *condition;
	bool negated;
	struct place place;
};

enum loop_kind { LOOP_FOR, LOOP_WHILE, LOOP_DO };
/*
 * trips is the number of iterations per entry as an expression of symbols outside the loop (EXPR_UNKNOWN with the reason where it cannot be
 * told); iterator counts them. A loop of a device function is there once for each call.
 */
struct loop {
	unsigned index; /* position in kernel.loops, program order */
	enum loop_kind kind;
	struct loop *parent; /* NULL for outermost */
	unsigned depth;      /* 1 for outermost */
	const struct symbol *iterator;
	const struct expr *start, *trips; /* start: the loop variable's first value */
	const struct expr *
		condition; /* under which iteration number `iterator` runs (LOOP_DO: is followed by another one); NULL: none, or always true */
	int64_t step; /* of the loop variable per iteration, 0 when not constant */
	const struct guard *guard;
	bool may_leave_early; /* trips is an upper bound: a break or a return may end the loop before */
	bool ends_by_break; /* there is no condition, and trips counts until its one break, the iteration that takes it included */
	unsigned unroll;    /* #pragma unroll N: N; 0 none; UINT_MAX for plain `#pragma unroll` */
	struct place place; /* the keyword */
	unsigned first_line, last_line;
	const struct inlined_call *inlined; /* the chain of device function calls it was reached by, or NULL */
};

/*
 * The number of iterations for these values of the symbols outside the loop: trips, or where that is unknown the condition, tried for iteration 0, 1, ...
 * (at most 2^20). values[iterator] is changed. False where neither can be evaluated; may_leave_early is not looked at.
 */
bool loop_evaluate_trips(const struct loop *loop, int64_t *values, expr_load_function *load, void *context, int64_t *trips);

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
/*
 * One read or write of memory per execution of its place, device functions inlined. `p[i].f[k]`: element is i, leaf is f, inner is k.
 * Byte offset from the array's start = element * element size + leaf offset + inner * leaf stride. A copy of a whole record is one access for each
 * leaf (and each element of member arrays, up to 64); of a vector type it is one. `a += b` is a load and a store. Through a pointer to another type
 * width_bytes is not the element's; an element that does not come out even is EXPR_UNKNOWN.
 */
struct access {
	unsigned index; /* position in kernel.accesses, program order */
	enum access_kind kind;
	const struct array *array;
	const struct expr *element; /* index in elements of the array's type */
	struct affine affine;       /* of element */
	const struct leaf *leaf;    /* NULL: the whole element */
	const struct expr *inner;   /* index into a member array, or NULL */
	unsigned width_bytes;
	struct loop *loop; /* innermost, or NULL */
	bool in_condition; /* it stands in the condition of that for or while loop, which is evaluated once more than the loop runs */
	const struct guard *guard;
	struct place place; /* where it stands in the source; of what a macro spells, the place of the macro's call */
	const struct inlined_call *inlined; /* the chain of device function calls it was reached by, or NULL */
};
struct inlined_call {
	const struct inlined_call *outer;
	const char *function;
	struct place place; /* of the call */
};

/* ---- references, for rewriting ------------------------------------------------- */

enum reference_kind {
	REFERENCE_ELEMENT, /* p[e], p[e].m, p[e].m.n, p[e].f[k], also *p, p->m, *(p + e), (p + e)->m */
	REFERENCE_OTHER /* anything else: the pointer escapes, is stepped, compared, passed on, or a macro spells it; reason says what */
};
/*
 * Every place in the kernel's own text where a pointer parameter is named, once per place in the text; each instance of a template has the same list.
 * Kernels in other files have none.
 */
struct reference {
	enum reference_kind kind;
	const struct parameter *parameter;
	struct range whole;      /* p[e].m or p[e] */
	struct range index;      /* e; empty for *p and p->m (index 0) */
	const struct leaf *leaf; /* the scalar named, or NULL: the whole element, or a nested record */
	struct range inner;      /* k of p[e].f[k], else empty */
	bool is_read, is_written, index_has_side_effects;
	bool address_taken; /* &p[e].m, or bound to a reference */
	const char *reason; /* OTHER, or not rewritable */
	struct place place;
};

struct kernel {
	const char *name;                          /* source name; instantiations "scale<float>" */
	const char *mangled;                       /* as in PTX */
	struct place place;                        /* of the name */
	struct range definition, name_range, body; /* definition: from `template` or the first specifier to the closing brace */
	struct parameter *parameters;
	unsigned parameter_count;
	struct symbol **symbols;
	unsigned symbol_count;
	struct array **arrays;
	unsigned array_count;
	struct loop **loops;
	unsigned loop_count;
	struct access **accesses;
	unsigned access_count;
	struct reference *references;
	unsigned reference_count;
	struct launch **launches; /* those found for it */
	unsigned launch_count;
	uint64_t shared_bytes;    /* static __shared__ */
	bool is_template_pattern; /* a template that is never instantiated: listed, not analysed */
};

/* ---- host side ------------------------------------------------------------------- */

/* An argument or launch dimension: constant where constant propagation says so. Pointers are never known, but have their array. */
struct host_value {
	bool known;
	int64_t value;
	struct range range; /* its text */
	bool assumed; /* known only if a branch is not taken: the default in `n = 1 << 20; if (argc > 1) n = atoi(argv[1]);`; or in a middle iteration */
	struct host_array *array; /* a pointer variable of the host, or NULL */
	const char *reason;       /* why it is not known, or only assumed */
};
/*
 * A launch with these values. Functions of the file are followed where they are called: a launch inside one appears once for each set of different values
 * that it is made with. A launch inside a loop appears once: values that change in the loop are assumed, those of its middle iteration.
 */
struct launch {
	struct kernel *kernel;
	struct place place;
	struct host_value grid[3], block[3], shared_bytes;
	struct host_value *arguments; /* as many as the kernel has parameters */
	uint64_t count;               /* times it runs per call of the outermost function: enclosing constant loops multiplied */
	bool count_known;   /* false: a loop of unknown length, which counts once, a branch or an assumed length is around it */
	struct range range; /* the call with <<<>>> and its closing parenthesis */
};

enum host_use {
	HOST_DECLARE,
	HOST_ALLOCATE,
	HOST_COPY_IN,
	HOST_COPY_OUT,
	HOST_COPY_DEVICE,
	HOST_SET,
	HOST_FREE,
	HOST_ARGUMENT,
	HOST_SIZEOF,
	HOST_OTHER
};
/* One appearance of a host variable that holds a device pointer. */
struct host_reference {
	enum host_use use;
	struct range statement; /* the call: "cudaMalloc(&p, n * sizeof *p)"; the declarator for DECLARE; "sizeof(*p)" for SIZEOF */
	struct range name;      /* the variable's token */
	struct range size;      /* the size argument in bytes, where the call has one */
	struct range other;     /* COPY_*: the other pointer argument */
	struct place place;
};
struct host_array {
	const char *name; /* unique within its function */
	struct type element;
	struct host_value
		bytes; /* cudaMalloc size where constant; of a function's parameter: that of the pointers it is called with */
	bool is_bound; /* a function's parameter that a call was seen to pass device memory for */
	struct host_reference *references;
	unsigned reference_count;
	struct place place;
};

/* ---- functions, for rewriting ------------------------------------------------------ */

/* A function or method defined in the file itself, kernels included; a template's pattern once. In program order. */
struct function {
	const char *name;
	struct range definition,
		body; /* definition: from `template` or the first specifier to the closing brace; body: with its braces */
	bool is_host, is_device; /* what it is compiled for: kernels device, constexpr both */
	bool is_kernel, is_member;
	struct place place;
};

/* ---- the whole ---------------------------------------------------------------------- */

struct analyzer_options {
	const char *path;
	const char *const *flags; /* -D, -I, -std=..., in order */
	unsigned flag_count;
	const char
		*cuda_root; /* --cuda-path, or NULL: only the words of the language itself are known, not the runtime's functions */
	const char *cuda_cccl;    /* folder of cub and thrust, or NULL */
	const char *architecture; /* "sm_90" */
	bool use_cache;           /* keep a precompiled header in the user's cache folder */
	double limit_seconds;     /* for libclang; 0 = 60 */
	bool in_process;          /* no child process around libclang: for debuggers and sanitizers */
};

struct analysis {
	struct arena *arena;
	const char *path;
	const char *text; /* the file, for ranges */
	size_t text_length;
	struct kernel **kernels; /* program order; instantiations after one another */
	unsigned kernel_count;
	struct record **records; /* that kernels index through pointers, by name */
	unsigned record_count;
	struct launch **launches;
	unsigned launch_count;
	struct host_array **host_arrays;
	unsigned host_array_count;
	struct function *functions;
	unsigned function_count;
	double clang_seconds; /* spent inside libclang's parse */
};

/*
 * Analyses a file, in a child process with limits of time and memory, so that whatever libclang does ends in a diagnostic. Returns NULL when it cannot be
 * read or libclang finds errors that concern its kernels (reported); a file without kernels is an error too. Errors in host code are not shown, except
 * as warnings where a launch or a header is lost by them. What could not be analysed inside a kernel is reported as a note and is an EXPR_UNKNOWN in
 * the result.
 */
struct analysis *analyze_file(struct arena *arena, const struct analyzer_options *options, struct diagnostics *diagnostics);
/*
 * The flags with which the build described by directory/compile_commands.json compiles a file: -D, -U, -I, -isystem, -iquote, -include, -std, for
 * analyzer_options.flags; relative folders are made absolute, files of arguments (--options-file, @file) are read. NULL with an error reported where the
 * file cannot be read, none with a warning where it has no command for the file. (The command of the most similar file is taken where there is none for this one.)
 */
const char *const *compile_commands_flags(struct arena *arena, const char *directory, const char *path, unsigned *count,
                                          struct diagnostics *diagnostics);

/* Separate arrays of one kernel that have equal sets of indices, and so could be the members of one record: what --group could be given. */
struct group_suggestion {
	const struct kernel *kernel;
	const struct parameter **members;
	unsigned member_count; /* at least 2 */
};
struct group_suggestions {
	struct group_suggestion *list;
	unsigned count;
};
struct group_suggestions analysis_suggest_groups(struct arena *arena, const struct analysis *analysis);

/* Verifies the invariants stated above; bug() on violation. analyze_file() calls it. */
void analysis_check(const struct analysis *analysis);
/* Dumps: records, kernels with parameters, loops, accesses and references, launches, host arrays, suggestions ("kernel"); normal forms ("affine"). */
void analysis_dump_kernels(struct text *out, const struct analysis *analysis);
void analysis_dump_affine(struct text *out, const struct analysis *analysis);

#endif
