/*
 * analyzer/walk/loop: what a loop changes and how often it runs. loop.c walks it: scan.c and steps.c find how one
 * iteration changes each variable, induction.c says what a variable is after k of them, trips.c how often a condition
 * holds. Names begin with walk_.
 */
#ifndef COALESCE_ANALYZER_WALK_LOOP_LOOP_H
#define COALESCE_ANALYZER_WALK_LOOP_LOOP_H

#include "analyzer/walk/walk.h"

bool walk_loop(struct walk_state *walk, const struct node *node);

/* How a variable changes in one iteration of a loop. */
enum walk_change_kind {
	CHANGE_NONE,
	CHANGE_STEP, /* plus `amount` */
	CHANGE_SHIFT_LEFT,
	CHANGE_SHIFT_RIGHT,
	CHANGE_DIVIDE,
	CHANGE_XOR,      /* by amount, a constant; DIVIDE: by 2^amount */
	CHANGE_IRREGULAR /* reason */
};
struct walk_induction {
	struct source_declaration *variable;
	enum walk_change_kind kind;
	const struct expr *amount;
	const char *reason;
	const struct walk_value *start;
};
struct walk_inductions {
	struct walk_induction *list;
	unsigned count;
};

/* ---- scan.c ----------------------------------------------------------------------------- */

/* A step seen in a loop, until its amount is read. */
#define INNER_MAX 3
struct walk_step {
	struct source_declaration *variable;
	enum node_operator op;
	const struct node *amount;           /* NULL: 1 */
	const struct node *inner[INNER_MAX]; /* the inner loops that it stands in, outermost first */
	unsigned inner_count;
};

/* The scan of one loop; the steps that it sees go on walk->pending. */
struct walk_scan {
	struct walk_state *walk;
	const struct node *loop;
	struct walk_inductions found;
	unsigned conditional;                /* > 0: inside a branch, or behind a continue */
	const struct node *inner[INNER_MAX]; /* the inner loops around the current node */
	unsigned inner_count;
	bool is_shallow; /* steps in inner loops are not followed */
};

void walk_scan_loop(struct walk_scan *scan, const struct node *loop);
/* The entry of a variable that the loop changes. */
struct walk_induction *walk_scan_induction(struct walk_scan *scan, struct source_declaration *variable);
void walk_make_irregular(struct walk_induction *induction, const char *reason);

/* ---- steps.c, induction.c, trips.c --------------------------------------------------------- */

/* All variables that the loop's parts change, and how; evaluated with the values before the loop. */
struct walk_inductions walk_find_inductions(struct walk_state *walk, const struct node *loop);
/* The value at the beginning of iteration `count`. */
const struct walk_value *walk_induction_value(struct walk_state *walk, const struct walk_induction *induction,
                                              const struct expr *count, struct place place);
/*
 * The number of iterations for which the condition, an expression of the iterator, holds from 0 on. UNKNOWN where it
 * cannot be told. *exact becomes false where a part of the condition was left out.
 */
const struct expr *walk_trips(struct walk_state *walk, const struct expr *condition, const struct symbol *iterator,
                              struct place place, bool *exact);

#endif
