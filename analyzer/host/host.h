/*
 * analyzer/host: what main does before a launch. The host's functions are run with constants for numbers, as far as these are known: that gives the grids
 * and arguments of launches, how often each is made, and the sizes of device arrays.
 *
 * roots.c starts with the functions that no other calls (main among them); statement.c, loop.c, expression.c, place.c, call.c and launch.c follow them
 * and call each other as the language nests: these six are a circle. value.c has the arithmetic, record.c what is known of an object's members, array.c
 * the variables that hold device pointers. Where two ways are possible both are walked and what they leave is joined. Names begin with host_.
 */
#ifndef COALESCE_ANALYZER_HOST_H
#define COALESCE_ANALYZER_HOST_H

#include "analyzer/analyzer.h"
#include "analyzer/tree.h"

enum host_constant_kind {
	CONSTANT_UNKNOWN,
	CONSTANT_INTEGER,
	CONSTANT_REAL,
	CONSTANT_TRIPLE,
	CONSTANT_RECORD,
	CONSTANT_FUNCTION,
	CONSTANT_ADDRESS
};
/* What is known about a value of the host. Never changed once made. */
struct host_constant {
	enum host_constant_kind kind;
	int64_t value;
	double real;
	const struct host_constant *parts[3]; /* TRIPLE: dim3 */
	const struct host_member *members;    /* RECORD: what was set last comes first; a dim3 is three integers */
	struct source_function *function;
	struct source_declaration *variable; /* ADDRESS: of this variable; UNKNOWN: the pointer variable itself, where it is one */
	bool assumed;
	const char *reason; /* UNKNOWN, or assumed */
};

/* A scalar that lies at an offset of a record. */
struct host_member {
	const struct host_member *next;
	uint64_t offset;
	const struct host_constant *value;
};

struct host_change {
	struct source_declaration *variable;
	const struct host_constant *before;
};

struct host_changes {
	struct host_change *list; /* `before` holds the new value */
	unsigned count;
};

/* How control left the last statement that did not go on. */
enum host_jump { JUMP_BREAK, JUMP_CONTINUE, JUMP_RETURN };
/* Jumps that were met on a way whose condition is not known. */
enum { UNCERTAIN_BREAK = 1, UNCERTAIN_CONTINUE = 2 };

/* The launches made by a loop that is run iteration by iteration, in the order in which it makes them. */
struct host_run {
	struct host_run_launch {
		struct launch *launch;
		uint64_t path; /* tells chains of calls apart */
	} * list;
	unsigned count;
};

/* The launches of places that share a hash. */
struct host_chain {
	struct host_chain *next;
	struct launch *launch;
};
#define HOST_CHAINS 4096

/* Deeper trees than this are left out. */
#define HOST_DEPTH_MAX 3000

/* The walk over host functions. */
struct host {
	struct arena *arena;
	const struct source_unit *unit;
	struct analysis *analysis;
	struct expr_pool pool;                    /* integer arithmetic is that of kernels */
	const struct host_constant **environment; /* by slot; NULL: nothing is known */
	struct host_array **arrays;               /* by slot; NULL: no device pointer */
	struct host_change *trail;
	size_t trail_count;
	const struct source_function *stack[16];
	unsigned stack_depth, depth;
	uint64_t count; /* how often the current code runs per call of the outermost function */
	bool count_known;
	struct source_declaration *object;  /* what `this` points to, where that is a variable; or NULL */
	const struct host_constant *result; /* of the function that was just left */
	enum host_jump jump;                /* of the last statement that did not go on */
	unsigned uncertain;                 /* UNCERTAIN_* */
	struct host_run *run;               /* takes launches while a loop is run; else NULL */
	uint64_t path;                      /* of the calls that lead here */
	struct host_chain **chains;         /* HOST_CHAINS of them: all launches so far */
	unsigned long budget, run_budget;   /* nodes still to be evaluated; of them by loops that are run */
	bool is_cut;                        /* it was used up, which was reported */
};

/* ---- value.c: constants ------------------------------------------------------------ */

const struct host_constant *host_integer(struct host *host, int64_t value);
const struct host_constant *host_unknown(struct host *host, const char *reason);
const struct host_constant *host_triple(struct host *host, const struct host_constant *const parts[3]);
/* Arithmetic in C's type of the result. */
const struct host_constant *host_binary(struct host *host, enum node_operator op, const struct host_constant *a,
                                        const struct host_constant *b, const struct source_type *operand_type,
                                        const struct source_type *type);
const struct host_constant *host_unary(struct host *host, enum node_operator op, const struct host_constant *a,
                                       const struct source_type *type);
const struct host_constant *host_convert(struct host *host, const struct host_constant *a, const struct source_type *type);
/* ceil, floor, min and their like by name; NULL for others. */
const struct host_constant *host_mathematics(struct host *host, const char *name, const struct host_constant *const *arguments,
                                             unsigned count, const struct source_type *type);
bool host_truth(const struct host_constant *constant, bool *truth);
struct host_value host_value_of(struct host *host, const struct host_constant *constant, const struct node *node);

/* ---- record.c --------------------------------------------------------------------------- */

/* The value where either of two ways was taken. */
const struct host_constant *host_join(struct host *host, const struct host_constant *a, const struct host_constant *b);
/* A record's part of that type; NULL where nothing is known about it. */
const struct host_constant *host_record_part(struct host *host, const struct host_constant *record, uint64_t offset,
                                             const struct source_type *type);
/* The dim3 at an offset: what was not set is 1, as its constructor has it; NULL where nothing was. */
const struct host_constant *host_record_triple(struct host *host, const struct host_constant *record, uint64_t offset);
/* The record with a part set; anything but a record as `record` counts as one of which nothing is known. */
const struct host_constant *host_record_set(struct host *host, const struct host_constant *record, uint64_t offset,
                                            const struct host_constant *value);
bool host_is_dim3(const struct source_type *type);

/* ---- place.c ----------------------------------------------------------------------------- */

/* The variable below members, and the offset of the part in it; pointers are followed where they are known. NULL where it is none. */
struct source_declaration *host_root(struct host *host, const struct node *place, uint64_t *offset);
/* A variable's value; globals begin with their initializer. */
const struct host_constant *host_variable(struct host *host, struct source_declaration *variable);
/* block.x of a dim3, or a member of a record. */
const struct host_constant *host_part(struct host *host, const struct node *node);
void host_set(struct host *host, struct source_declaration *variable, const struct host_constant *value);
/* Puts a value where an expression names a variable or a part of one. */
void host_store(struct host *host, const struct node *place, const struct host_constant *value);

/* ---- expression.c, call.c ------------------------------------------------------------------ */

const struct host_constant *host_evaluate(struct host *host, const struct node *node);
/* object = value, where that is a call of an operator that copies. */
const struct host_constant *host_assign_copy(struct host *host, const struct node *node);
const struct host_constant *host_call(struct host *host, const struct node *node);
/* The record that a constructor of the file makes; NULL where it is none that can be walked. */
const struct host_constant *host_construct(struct host *host, const struct node *node);

/* ---- statement.c, loop.c ------------------------------------------------------------------- */

/* Returns whether control can reach what follows; host->jump says where it goes else. */
bool host_statement(struct host *host, const struct node *node);
/* The same where the statement may be missing. */
bool host_optional(struct host *host, const struct node *node);
/* Takes back what was changed since a mark (host->trail_count then), and returns it, the last value of each variable. */
struct host_changes host_undo(struct host *host, size_t mark);
bool host_loop(struct host *host, const struct node *node);
/* Forgets the variables that a node changes. */
void host_forget_changed(struct host *host, const struct node *node, const char *reason);
/* Whether something is launched below a node, also by the file's functions that it calls (as far as these are marked). */
bool host_holds_launch(const struct node *node);
/* Whether a function of the runtime launches a kernel. */
bool host_is_launch_call(const char *name);

/* ---- launch.c ------------------------------------------------------------------------------- */

void host_launch(struct host *host, const struct node *node);
void host_launch_by_call(struct host *host, const struct node *node);
/* Adds the launches of a loop that was run, those of one place as one: with the values of the middle one where they differ. */
void host_launches_merge(struct host *host, const struct host_run *run);

/* ---- array.c: the first pass ------------------------------------------------------------------ */

/* Fills analysis->host_arrays with their references, and host->arrays. */
void host_find_arrays(struct host *host);
/* Which argument of a runtime call allocates: cudaMalloc and its like. */
bool host_is_allocation(const struct node *call, const struct node **pointer, const struct node **size);

/* ---- roots.c: the second pass ------------------------------------------------------------------ */

/* Requires host_find_arrays. Fills analysis->launches and the launches of its kernels. */
void host_find_launches(struct host *host);

#endif
