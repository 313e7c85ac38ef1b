/*
 * analyzer/walk: a kernel's body is executed once, with symbols for numbers. That yields its loops, guards and
 * accesses.
 *
 * Every variable has a value (value.h) that is an expression of the kernel's symbols, a pointer into an array, or
 * unknown with a reason. Branches are both walked and their values joined (statement.c, environment.c); a loop's body
 * is walked once, with the values at the beginning of its k-th iteration (loop/); a device function is walked where it
 * is called (call.c), one of the toolkit is known by name (toolkit.c, group.c). Reading or writing memory records an
 * access under the current guards (memory.c).
 *
 * Link circle: call.c expression.c location.c statement.c toolkit.c loop/loop.c loop/steps.c (the language nests)
 * Names begin with walk_.
 */
#ifndef COALESCE_ANALYZER_WALK_WALK_H
#define COALESCE_ANALYZER_WALK_WALK_H

#include "analyzer/expr/expr.h"
#include "analyzer/walk/value.h"

/* ---- the state ---------------------------------------------------------------------- */

/* What a variable had before it was changed. */
struct walk_change {
	struct source_declaration *variable;
	const struct walk_value *before;
};

/* A jump out of straight code: what follows runs only where it was not taken. */
enum walk_leave_kind { LEAVE_RETURN, LEAVE_BREAK, LEAVE_CONTINUE };
struct walk_leave {
	enum walk_leave_kind kind;
	const struct guard *guard; /* under which it is taken */
};

/* A function call being walked; the kernel itself is the outermost. */
struct walk_frame {
	struct walk_frame *caller;
	const struct source_function *function;
	const struct guard *guard;   /* at its beginning */
	struct walk_location object; /* *this */
	struct walk_return *returns;
	unsigned return_count;
	unsigned loop_depth; /* loops of this function around the current statement */
};
struct walk_return {
	const struct guard *guard;
	const struct walk_value *value;
	bool in_loop;
};

/* The walk over one kernel. Invariant: what is on the trail since a mark can be taken back with walk_undo(). */
struct walk_state {
	struct arena *arena;
	const struct source_unit *unit;
	struct diagnostics *diagnostics;
	struct kernel *kernel;
	struct expr_pool pool;
	const struct walk_value **environment; /* by slot; NULL: not yet set */
	const struct walk_value **scratch;     /* by slot; NULL outside walk_join_changes() */
	struct walk_change *trail;
	size_t trail_count;
	struct walk_leave *leaves;
	unsigned leave_count;
	struct walk_step *pending;
	unsigned pending_count;
	const struct guard *guard;
	struct loop *loop;
	struct walk_frame *frame;
	const struct inlined_call *inlined;
	unsigned call_depth, depth;
	unsigned silent;      /* > 0: loads are unknown and nothing is recorded */
	unsigned long budget; /* nodes that may still be walked */
};
/* ---- constant.c ------------------------------------------------------------------- */

/* The symbol of an integer in constant memory that is no element of an array, which an access loads; NULL for all else.
 * What the file itself gives a value is no number to be asked for. */
const struct symbol *walk_constant(struct walk_state *walk, const struct access *access);

/* ---- state.c ---------------------------------------------------------------------- */

const struct symbol *walk_symbol(struct walk_state *walk, struct symbol symbol);
/* The symbols of threadIdx and its like; and the one of one of them. */
void walk_create_builtins(struct walk_state *walk);
const struct symbol *walk_builtin_symbol(struct walk_state *walk, enum builtin builtin, unsigned axis);
void walk_note(struct walk_state *walk, struct place place, const char *format, ...) PRINTF_LIKE(3, 4);
/* Takes from the budget; false when it is used up or the tree is too deep. */
bool walk_may_go_on(struct walk_state *walk);

/* ---- guard.c ---------------------------------------------------------------------- */

/* Puts a condition on what follows. */
void walk_guard(struct walk_state *walk, const struct expr *condition, bool negated, struct place place);
/* The condition of all guards from `guard` up to, not including, `base`. */
const struct expr *walk_guard_condition(struct walk_state *walk, const struct guard *guard, const struct guard *base);
/* Guards what follows against the jumps recorded since a mark. */
void walk_guard_leaves(struct walk_state *walk, unsigned mark, struct place place);

/* ---- operator.c --------------------------------------------------------------------- */

/* The expression's operator for an operator of the language; EXPR_UNKNOWN where it has none. */
enum expr_op walk_expr_op(enum node_operator op);
/* op(left, right) in the given type; the operands have been converted by CAST nodes, except for compound assignments.
 */
const struct walk_value *walk_apply(struct walk_state *walk, enum node_operator op, const struct walk_value *left,
                                    const struct walk_value *right, const struct source_type *type,
                                    const struct node *node);
/* The same for values of which at least one is a pointer. */
const struct walk_value *walk_pointer_operator(struct walk_state *walk, enum node_operator op,
                                               const struct walk_value *left, const struct walk_value *right,
                                               const struct node *node);
/* The comparison of two values, its operands. */
const struct walk_value *walk_comparison(struct walk_state *walk, const struct node *node,
                                         const struct walk_value *left, const struct walk_value *right);

/* ---- expression.c ------------------------------------------------------------------- */

const struct walk_value *walk_evaluate(struct walk_state *walk, const struct node *node);
const struct expr *walk_integer(struct walk_state *walk, const struct node *node);
/* The node's value as a condition of 1 bit. */
const struct expr *walk_condition(struct walk_state *walk, const struct node *node);

/* ---- location.c --------------------------------------------------------------------- */

struct walk_location walk_locate(struct walk_state *walk, const struct node *node);
struct walk_location walk_member_location(struct walk_state *walk, const struct node *node);
/* A variable: what a reference is bound to, an array's first element, or the variable itself. */
struct walk_location walk_variable_location(struct walk_state *walk, struct source_declaration *variable);
/* What a reference is bound to: a pointer to the place that the expression names, or the value of a temporary. */
const struct walk_value *walk_bound(struct walk_state *walk, const struct node *node);
/* Whether the expression is the name of something that lies somewhere, not a temporary. */
bool walk_is_place(const struct node *node);

/* ---- call.c, toolkit.c, group.c ------------------------------------------------------ */

const struct walk_value *walk_call(struct walk_state *walk, const struct node *node);
const struct walk_value *walk_construct(struct walk_state *walk, const struct node *node);
/* A call of a function of the toolkit that is no method. */
const struct walk_value *walk_toolkit_function(struct walk_state *walk, const struct node *node);
/* A call that is not followed: what it could change through its arguments is unknown afterwards; noted, with why, where
 * that is memory. */
const struct walk_value *walk_opaque_call(struct walk_state *walk, const struct node *node, const char *why);
/* make_int2(a, b) or int2(a, b): a vector of its arguments. */
const struct walk_value *walk_make(struct walk_state *walk, const struct node *node);
/* A method of the toolkit's cooperative groups; NULL where it is none that is known. */
const struct walk_value *walk_group_call(struct walk_state *walk, const struct node *node);

/* ---- statement.c --------------------------------------------------------------------- */

/* Returns whether control can reach what follows. */
bool walk_statement(struct walk_state *walk, const struct node *node);

#endif
