/*
 * The walk: a kernel's body is executed once with symbols for numbers. It yields loops, guards and accesses.
 *
 * Every variable has a value that is an expression of the kernel's symbols, a pointer into an array, or unknown with a reason. Branches are both
 * walked and their values joined; a loop's body is walked once, with the values at the beginning of its k-th iteration.
 */
#ifndef COALESCE_ANALYZER_WALK_H
#define COALESCE_ANALYZER_WALK_H

#include "analyzer/internal.h"

/* ---- values -------------------------------------------------------------------------- */

enum location_kind {
	LOCATION_UNKNOWN,  /* reason */
	LOCATION_VARIABLE, /* a local that is no array: offset_bytes in it */
	LOCATION_MEMORY    /* array: element, offset_bytes in it, plus inner * inner_stride_bytes */
};
struct location {
	enum location_kind kind;
	const struct source_type *type; /* of what lies there */
	const char *reason;
	struct declaration *variable;
	struct array *array;
	const struct expr *element;
	uint64_t offset_bytes, inner_stride_bytes;
	const struct expr *inner; /* or NULL */
	const char *member;       /* the last member named: tells apart those of a union, or bit-fields of one unit; or NULL */
	bool is_foreign;          /* reached through a pointer to another type that does not fit the array's elements */
};

enum value_kind {
	VALUE_SCALAR,  /* scalar: an integer, or UNKNOWN for everything else */
	VALUE_POINTER, /* at; references too */
	VALUE_RECORD   /* leaves: one value for each leaf of the record */
};
/* Never changed once made. Only the part that belongs to its kind is there. */
struct value {
	enum value_kind kind;
	union {
		const struct expr *scalar;
		struct location at;
		struct {
			const struct record *record;
			const struct value **leaves;
		};
	};
};

/* What a variable had before it was changed. */
struct change {
	struct declaration *variable;
	const struct value *before;
};

/* A jump out of straight code: what follows runs only where it was not taken. */
enum leave_kind { LEAVE_RETURN, LEAVE_BREAK, LEAVE_CONTINUE };
struct leave {
	enum leave_kind kind;
	const struct guard *guard; /* under which it is taken */
};

/* A function call being walked; the kernel itself is the outermost. */
struct frame {
	struct frame *caller;
	const struct source_function *function;
	const struct guard *guard; /* at its beginning */
	struct location object;    /* *this */
	struct returned *returns;
	unsigned return_count;
	unsigned loop_depth; /* loops of this function around the current statement */
};
struct returned {
	const struct guard *guard;
	const struct value *value;
	bool in_loop;
};

/* A step seen in a loop, until its amount is read; see loop_scan.c. */
#define INNER_MAX 3
struct pending {
	struct declaration *variable;
	enum operator op;
	const struct node *amount;           /* NULL: 1 */
	const struct node *inner[INNER_MAX]; /* the inner loops that it stands in, outermost first */
	unsigned inner_count;
};

struct walk {
	struct arena *arena;
	const struct source_unit *unit;
	struct diagnostics *diagnostics;
	struct kernel *kernel;
	struct expr_pool pool;
	const struct value **environment; /* by slot; NULL: not yet set */
	const struct value **scratch;     /* by slot; NULL outside environment_join() */
	struct change *trail;
	size_t trail_count;
	struct leave *leaves;
	unsigned leave_count;
	struct pending *pending;
	unsigned pending_count;
	const struct guard *guard;
	struct loop *loop;
	struct frame *frame;
	const struct inlined_call *inlined;
	unsigned call_depth, depth;
	unsigned silent;      /* > 0: loads are unknown and nothing is recorded */
	unsigned long budget; /* nodes that may still be walked */
};

/* ---- environment.c: values and variables ---------------------------------------------- */

const struct value *value_scalar(struct walk *walk, const struct expr *scalar);
const struct value *value_pointer(struct walk *walk, struct location at);
/* A record's value whose leaves are still to be filled in. */
struct value *value_record(struct walk *walk, const struct record *record);
/* The value of that type about which nothing is known. */
const struct value *value_unknown(struct walk *walk, const struct source_type *type, const char *reason, struct place place);
struct location location_unknown(const struct source_type *type, const char *reason);
/* The integer or condition; unknown for other values. */
const struct expr *value_expr(struct walk *walk, const struct value *value);
bool value_equal(const struct value *a, const struct value *b);

const struct value *environment_get(struct walk *walk, struct declaration *variable);
void environment_set(struct walk *walk, struct declaration *variable, const struct value *value);
/* The value that is `yes` where the condition holds and `no` elsewhere; type says what it is where nothing can be said. */
const struct value *value_join(struct walk *walk, const struct expr *condition, const struct value *yes, const struct value *no,
                               const struct source_type *type, struct place place);
/* What was changed since a mark (walk->trail_count then), one entry for each variable; and everything back as it was. */
struct changes {
	struct change *list; /* `before` holds the new value */
	unsigned count;
};
struct changes environment_undo(struct walk *walk, size_t mark);
void environment_redo(struct walk *walk, const struct changes *changes);
/* After both ways of a branch: values that differ become selections. */
void environment_join(struct walk *walk, const struct expr *condition, const struct changes *yes, const struct changes *no,
                      struct place place);

/* ---- memory.c: arrays, locations, accesses ------------------------------------------------ */

struct array *walk_array(struct walk *walk, struct declaration *variable);
/* A pointer's target moved by count elements of its type. */
struct location location_advance(struct walk *walk, struct location at, const struct expr *count);
/* The part of that type that lies so many bytes behind the beginning. */
struct location location_part(struct location at, uint64_t offset_bytes, const struct source_type *type);
struct location location_retype(struct location at, const struct source_type *type);
/* Reads or writes what lies there, recording accesses to memory. */
const struct value *location_load(struct walk *walk, struct location at, struct place place);
void location_store(struct walk *walk, struct location at, const struct value *value, struct place place);
const struct value *location_atomic(struct walk *walk, struct location at, struct place place);
/* What a pointer or reference with that value points to, for access. */
struct location location_target(struct walk *walk, const struct value *pointer, const struct source_type *type);

/* ---- walk_operator.c ------------------------------------------------------------------------------------------- */

/* The expression's operator for an operator of the language; EXPR_UNKNOWN where it has none. */
enum expr_op walk_expr_op(enum operator op);
/* op(left, right) in the given type; the operands have been converted by CAST nodes, except for compound assignments. */
const struct value *walk_apply(struct walk *walk, enum operator op, const struct value *left, const struct value *right,
                               const struct source_type *type, const struct node *node);
/* The same for values of which at least one is a pointer. */
const struct value *walk_pointer_operator(struct walk *walk, enum operator op, const struct value *left, const struct value *right,
                                          const struct node *node);
/* A comparison: its operands are evaluated, from left to right. */
const struct value *walk_comparison(struct walk *walk, const struct node *node);

/* ---- walk_expression.c, walk_location.c, walk_call.c, walk_statement.c ----------------------------------------- */

const struct value *walk_value(struct walk *walk, const struct node *node);
struct location walk_location(struct walk *walk, const struct node *node);
struct location walk_member_location(struct walk *walk, const struct node *node);
/* A variable: what a reference is bound to, an array's first element, or the variable itself. */
struct location walk_variable_location(struct walk *walk, struct declaration *variable);
/* What a reference is bound to: a pointer to the place that the expression names, or the value of a temporary. */
const struct value *walk_bound(struct walk *walk, const struct node *node);
/* Whether the expression is the name of something that lies somewhere, not a temporary. */
bool node_is_place(const struct node *node);
const struct expr *walk_integer(struct walk *walk, const struct node *node);
/* The node's value as a condition of 1 bit. */
const struct expr *walk_condition(struct walk *walk, const struct node *node);
const struct value *walk_call(struct walk *walk, const struct node *node);
const struct value *walk_construct(struct walk *walk, const struct node *node);
/* walk_toolkit.c: a call of a function of the toolkit that is no method. */
const struct value *walk_toolkit_function(struct walk *walk, const struct node *node);
/* A call that is not followed: what it could change through its arguments is unknown afterwards; noted, with why, where that is memory. */
const struct value *walk_opaque_call(struct walk *walk, const struct node *node, const char *why);
/* make_int2(a, b) or int2(a, b): a vector of its arguments. */
const struct value *walk_make(struct walk *walk, const struct node *node);
/* The arguments of a call or construction, without the object in front of them. */
struct node *call_argument(const struct node *node, unsigned position);
unsigned call_argument_count(const struct node *node);
/* walk_group.c: a method of the toolkit's cooperative groups; NULL where it is none that is known. */
const struct value *walk_group_call(struct walk *walk, const struct node *node);
void walk_initialise(struct walk *walk, struct declaration *variable, const struct node *initializer);
/* Returns whether control can reach what follows. */
bool walk_statement(struct walk *walk, const struct node *node);
/* Puts a condition on what follows. */
void walk_guard(struct walk *walk, const struct expr *condition, bool negated, struct place place);
/* The condition of all guards from `guard` up to, not including, `base`. */
const struct expr *guard_condition(struct walk *walk, const struct guard *guard, const struct guard *base);
/* Guards what follows against the jumps recorded since a mark. */
void walk_guard_leaves(struct walk *walk, unsigned mark, struct place place);
void walk_note(struct walk *walk, struct place place, const char *format, ...) PRINTF_LIKE(3, 4);
/* Takes from the budget; false when it is used up or the tree is too deep. */
bool walk_may_go_on(struct walk *walk);

/* ---- loops.c, loop_scan.c, induction.c, trips.c --------------------------------------------------------------------------- */

bool walk_loop(struct walk *walk, const struct node *node);

/* How a variable changes in one iteration of a loop. */
enum change_kind {
	CHANGE_NONE,
	CHANGE_STEP, /* plus `amount` */
	CHANGE_SHIFT_LEFT,
	CHANGE_SHIFT_RIGHT,
	CHANGE_DIVIDE,
	CHANGE_XOR,      /* by amount, a constant; DIVIDE: by 2^amount */
	CHANGE_IRREGULAR /* reason */
};
struct induction {
	struct declaration *variable;
	enum change_kind kind;
	const struct expr *amount;
	const char *reason;
	const struct value *start;
};
struct inductions {
	struct induction *list;
	unsigned count;
};
/* All variables that the loop's parts change, and how; evaluated with the values before the loop. */
struct inductions inductions_find(struct walk *walk, const struct node *loop);
/* The value at the beginning of iteration `count`. */
const struct value *induction_value(struct walk *walk, const struct induction *induction, const struct expr *count,
                                    struct place place);
/*
 * The number of iterations for which the condition, an expression of the iterator, holds from 0 on. UNKNOWN where it cannot be told. *exact becomes
 * false where a part of the condition was left out.
 */
const struct expr *trips_from_condition(struct walk *walk, const struct expr *condition, const struct symbol *iterator,
                                        struct place place, bool *exact);

/* ---- kernel.c ------------------------------------------------------------------------------------------ */

struct kernel *kernel_read(struct arena *arena, const struct source_unit *unit, const struct source_function *function,
                           struct diagnostics *diagnostics);
const struct symbol *walk_symbol(struct walk *walk, struct symbol symbol);
/* The symbol of threadIdx and its like. */
const struct symbol *walk_builtin_symbol(struct walk *walk, enum builtin builtin, unsigned axis);

/* references.c: fills kernel->references. */
void kernel_find_references(struct arena *arena, const struct source_unit *unit, struct kernel *kernel,
                            const struct source_function *function);

#endif
