/*
 * A kernel as its source says it: parameters, the arrays that it indexes, loops with their numbers of iterations,
 * guards, and every access with its index as an expression of the kernel's symbols; and, for rewriting, every place in
 * its text that names an array.
 */
#ifndef COALESCE_ANALYZER_TYPES_KERNEL_H
#define COALESCE_ANALYZER_TYPES_KERNEL_H

#include "analyzer/types/expression.h"
#include "analyzer/types/record.h"

struct host_allocation;
struct host_symbol;
struct host_content;
struct parameter {
	const char *name;
	unsigned index;
	const struct host_allocation *
		*passed; /* memory that launches pass for it, each once, a few at most; pointers */
	unsigned passed_count;
	bool is_pointer, is_const, is_restrict; /* is_const: of the pointee */
	struct type type;                       /* of the scalar, or of the pointee; float for `float (*a)[64]` */
	const struct symbol *symbol;            /* scalars of integer type, else NULL */
	struct array *array;                    /* pointers, else NULL */
	struct place place;
	struct range range; /* the declaration: "const float *a" */
	struct range name_range;
	const struct host_content *stated; /* what the host's code puts into members of the records that it points to */
	unsigned stated_count;
	bool is_constant; /* it is none, but a variable in constant memory, and `copied` is what the host copies there;
	                     NULL: nothing */
	const struct host_symbol *copied;
	const struct held_pointer *held; /* of a held function: what it names; else NULL */
};
/*
 * A pointer to records that stands in a device function for a member of a record which kernels take by value: the
 * member itself, as `a.p` or, in a method, `p`; a local variable that is declared with such a pointer as its value; or
 * a pointer parameter of the function.
 */
struct held_pointer {
	const struct record *holder; /* whose member it is, of a member */
	const char *member;
	unsigned value; /* of a local variable: 1 + the index of the pointer that it is declared with */
	bool is_parameter;
};

enum array_space { ARRAY_GLOBAL, ARRAY_SHARED, ARRAY_CONSTANT, ARRAY_LOCAL, ARRAY_UNKNOWN };
/*
 * Memory that a kernel indexes: a pointer parameter, a pointer in a record passed by value ("g.data"), a
 * __shared__/__constant__/__device__ variable, a local array. Arrays of arrays are flattened. UNKNOWN ("?float") stands
 * for whatever unknown pointers to that type point to.
 */
struct array {
	const char *name;
	enum array_space space;
	struct type element;
	uint64_t count;                    /* elements where declared with a size, else 0 */
	bool is_indexed;                   /* an access of the kernel names another element than the first */
	bool is_initialised;               /* a variable that the file gives a value */
	const struct parameter *parameter; /* NULL for variables */
	const struct leaf *leaf;           /* the member of a record passed by value that points to it, or NULL */
	struct place place;
};

/* A condition under which a statement runs; all of the chain up to the root hold. Branches that leave (return, break,
 * continue) guard what follows. */
struct guard {
	const struct guard *parent;
	const struct expr *condition;
	bool negated;
	struct place place;
};

/*
 * An if whose condition is not constant, in the kernel or a device function that it calls: once for each place in the
 * source. Lines of its two statements in the place's file; those of a missing else are 0.
 */
struct choice {
	struct place place; /* of the condition */
	unsigned then_first, then_last, else_first, else_last;
	bool leaves; /* control does not go on behind the first statement: it ends in a jump */
};

enum loop_kind { LOOP_FOR, LOOP_WHILE, LOOP_DO };
/*
 * trips is the number of iterations per entry as an expression of symbols outside the loop (EXPR_UNKNOWN with the
 * reason where it cannot be told); iterator counts them. A loop of a device function is there once for each call.
 */
struct loop {
	unsigned index; /* position in kernel.loops, program order */
	enum loop_kind kind;
	struct loop *parent; /* NULL for outermost */
	unsigned depth;      /* 1 for outermost */
	const struct symbol *iterator;
	const struct expr *start, *trips; /* start: the loop variable's first value */
	const struct expr *condition; /* under which iteration number `iterator` runs (LOOP_DO: is followed by another
	                                 one); NULL: none, or always true */
	int64_t step;                 /* of the loop variable per iteration, 0 when not constant */
	const struct guard *guard;
	bool may_leave_early; /* trips is an upper bound: a break or a return may end the loop before */
	bool ends_by_break; /* there is no condition, and trips counts until its one break, the iteration that takes it
	                       included */
	unsigned unroll;    /* #pragma unroll N: N; 0 none; UINT_MAX for plain `#pragma unroll` */
	struct place place; /* the keyword */
	unsigned first_line, last_line;
	const struct inlined_call *inlined; /* the chain of device function calls it was reached by, or NULL */
};

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
/*
 * One read or write of memory per execution of its place, device functions inlined. `p[i].f[k]`: element is i, leaf is
 * f, inner is k. Byte offset from the array's start = element * element size + leaf offset + inner * leaf stride. A
 * copy of a whole record is one access for each leaf (and each element of member arrays, up to 64); of a vector type it
 * is one. `a += b` is a load and a store. Through a pointer to another type width_bytes is not the element's; an
 * element that does not come out even is EXPR_UNKNOWN.
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
	bool in_condition; /* it stands in the condition of that for or while loop, which is evaluated once more than
	                      the loop runs */
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
	REFERENCE_OTHER    /* anything else: the pointer escapes, is stepped, compared, passed on, or a macro spells it;
	                      reason says what */
};
/*
 * Every place in the kernel's own text where a pointer parameter is named, once per place in the text; each instance of
 * a template has the same list. Kernels in other files have none.
 */
struct reference {
	enum reference_kind kind;
	const struct parameter *parameter;
	struct range whole;      /* p[e].m or p[e] */
	struct range index;      /* e; empty for *p and p->m (index 0) */
	const struct leaf *leaf; /* the scalar named, or NULL: the whole element, or a nested record */
	struct range inner;      /* k of p[e].f[k], else empty */
	bool is_read, is_written, index_has_side_effects;
	bool address_taken;      /* &p[e].m, or bound to a reference */
	struct range passed_for; /* OTHER: the name of the parameter that the pointer is passed for, in its declaration;
	                            or empty */
	const char *reason;      /* OTHER, or not rewritable */
	struct place place;
};

/*
 * A place in the text of the file, device or host, where a member is named that is a pointer of a record which kernels
 * take by value (`g.rho`), or one of the same name. Once per place, however many instances of a template have it.
 */
struct member_mention {
	const struct record *record; /* whose member it is; NULL: of none that is known */
	const char *member;          /* NULL: a record is made from a list of members */
	struct range name;           /* its token; empty where a macro spells it */
	struct range element, index; /* of `g.rho[e]`: `rho[e]`, and e; else empty */
	bool index_has_side_effects;
	struct place place;
};

struct kernel {
	const char *name;    /* source name; instantiations "scale<float>" */
	const char *mangled; /* as in PTX */
	struct place place;  /* of the name */
	struct range definition, name_range,
		body; /* definition: from `template` or the first specifier to the closing brace */
	struct parameter *parameters;
	unsigned parameter_count;
	struct parameter **constants; /* integers in constant memory, and records with some, that it reads: numbered
	                                 behind the parameters */
	unsigned constant_count;
	struct symbol **symbols;
	unsigned symbol_count;
	struct array **arrays;
	unsigned array_count;
	struct loop **loops;
	unsigned loop_count;
	struct access **accesses;
	unsigned access_count;
	struct choice *choices;
	unsigned choice_count;
	struct reference *references;
	unsigned reference_count;
	struct launch **launches; /* those found for it */
	unsigned launch_count;
	uint64_t shared_bytes;    /* static __shared__ */
	bool is_left_alone;       /* main, as its command line says, launches others and not this one */
	bool is_template_pattern; /* a template that is never instantiated: listed, not analysed */
};

#endif
