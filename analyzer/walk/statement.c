/*
 * Statements during a walk: which code runs under which conditions.
 *
 * Branches are walked one after the other and their variables joined. A jump (return, break, continue) is remembered
 * with the guard under which it is taken; the code behind the statement that holds it is guarded against it.
 */
#include "analyzer/walk/loop/loop.h"

#include <string.h>

/* ---- jumps ---------------------------------------------------------------------------------- */

static void push_leave(struct walk_state *walk, enum walk_leave_kind kind)
{
	ARENA_PUSH(walk->arena, walk->leaves, walk->leave_count, (struct walk_leave){kind, walk->guard});
}

/* ---- declarations ------------------------------------------------------------------------------- */

static void walk_initialise(struct walk_state *walk, struct source_declaration *variable,
                            const struct node *initializer)
{
	const struct source_type *type = variable->type;
	const struct walk_value *value;

	if (type->shape == SHAPE_REFERENCE) {
		value = initializer ? walk_bound(walk, initializer)
		                    : walk_pointer(walk, walk_nowhere(type->target, "a reference to nothing"));
	} else {
		value = initializer ? walk_evaluate(walk, initializer)
		                    : walk_unknown(walk, type, "a variable that is not set", variable->place);
	}
	if (type_is_integral(type) && value->kind == VALUE_SCALAR)
		value = walk_scalar(walk, expr_cast(&walk->pool, value->scalar, type->bits, type->is_signed));
	if (type->shape != SHAPE_ARRAY && variable->storage == STORAGE_PLAIN)
		walk_set(walk, variable, value);
	else if (variable->storage == STORAGE_SHARED || type->shape == SHAPE_ARRAY)
		walk_array(walk, variable);
}

/* ---- branches ---------------------------------------------------------------------------------------- */

static bool walk_branch(struct walk_state *walk, const struct node *node)
{
	return node ? walk_statement(walk, node) : true;
}

static unsigned last_line(const struct walk_state *walk, const struct node *node)
{
	unsigned line = node->place.line;

	for (unsigned at = node->range.begin; at < node->range.end && at < walk->unit->text_length; at++)
		line += walk->unit->text[at] == '\n';
	return line;
}

static void record_choice(struct walk_state *walk, const struct node *test, const struct node *yes,
                          const struct node *no, bool leaves)
{
	struct kernel *kernel = walk->kernel;
	struct choice choice = {.place = test->place, .leaves = leaves};

	for (unsigned i = 0; i < kernel->choice_count; i++) {
		const struct place *other = &kernel->choices[i].place;

		if (other->line == choice.place.line && other->column == choice.place.column &&
		    strcmp(other->file, choice.place.file) == 0)
			return;
	}
	if (yes) {
		choice.then_first = yes->place.line;
		choice.then_last = last_line(walk, yes);
	}
	if (no) {
		choice.else_first = no->place.line;
		choice.else_last = last_line(walk, no);
	}
	ARENA_PUSH(walk->arena, kernel->choices, kernel->choice_count, choice);
}

/* Both ways of an if whose condition is not a constant. Returns whether control can go on. */
static bool walk_ways(struct walk_state *walk, const struct expr *condition, const struct node *yes,
                      const struct node *no, const struct node *test)
{
	const struct place place = test->place;
	const struct guard *guard = walk->guard;
	unsigned leaves = walk->leave_count;
	struct walk_changes changes[2];
	const struct node *const ways[] = {yes, no};
	bool goes_on[2];

	for (unsigned i = 0; i < 2; i++) {
		size_t mark = walk->trail_count;

		walk_guard(walk, condition, i == 1, place);
		goes_on[i] = walk_branch(walk, ways[i]);
		walk->guard = guard;
		changes[i] = walk_undo(walk, mark);
	}
	if (goes_on[0] && goes_on[1])
		walk_join_changes(walk, condition, &changes[0], &changes[1], place);
	else
		walk_redo(walk, &changes[goes_on[0] ? 0 : 1]);
	walk_guard_leaves(walk, leaves, place);
	record_choice(walk, test, yes, no, !goes_on[0]);
	return goes_on[0] || goes_on[1];
}

static bool walk_if(struct walk_state *walk, const struct node *node)
{
	const struct node *before = node->children[0], *test = node->children[1];
	const struct expr *condition;
	int64_t constant;

	if (before)
		walk_statement(walk, before);
	if (!test)
		return true;
	condition = walk_condition(walk, test);
	if (expr_is_constant(condition, &constant))
		return walk_branch(walk, node->children[constant ? 2 : 3]);
	return walk_ways(walk, condition, node->children[2], node->children[3], test);
}

/* ---- switch ---------------------------------------------------------------------------------------------- */

/* The cases of a switch, opened from `case 1: case 2: statement`. */
struct switching {
	const struct expr *value;
	const struct expr *matched; /* one of the labels seen so far, also those that fell through */
	const struct expr *any;     /* any label of the switch but default */
};

static const struct expr *either(struct walk_state *walk, const struct expr *a, const struct expr *b)
{
	return a ? expr_binary(&walk->pool, EXPR_LOGICAL_OR, a, b, 1, false) : b;
}

static const struct expr *case_condition(struct walk_state *walk, const struct expr *value, const struct node *label)
{
	const struct expr *first = expr_cast(&walk->pool, walk_integer(walk, label->children[0]), value->bits,
	                                     value->is_signed),
			  *last;

	if (!node_child(label, 2))
		return expr_binary(&walk->pool, EXPR_EQ, value, first, 1, false);
	last = expr_cast(&walk->pool, walk_integer(walk, label->children[2]), value->bits, value->is_signed);
	return expr_binary(&walk->pool, EXPR_LOGICAL_AND, expr_binary(&walk->pool, EXPR_GE, value, first, 1, false),
	                   expr_binary(&walk->pool, EXPR_LE, value, last, 1, false), 1, false);
}

/* The disjunction of all labels with a value, for default. */
static const struct expr *all_cases(struct walk_state *walk, const struct expr *value, const struct node *body)
{
	const struct expr *any = NULL;

	for (unsigned i = 0; i < body->child_count; i++)
		for (const struct node *label = body->children[i]; label && label->kind == NODE_CASE;
		     label = label->children[1])
			if (label->children[0])
				any = either(walk, any, case_condition(walk, value, label));
	return any ? any : expr_constant(&walk->pool, 0, 1, false);
}

/* Adds the labels in front of a statement to what is matched; returns the statement. */
static const struct node *open_labels(struct walk_state *walk, struct switching *switching,
                                      const struct node *statement)
{
	while (statement && statement->kind == NODE_CASE) {
		const struct expr *condition = statement->children[0]
		                                       ? case_condition(walk, switching->value, statement)
		                                       : expr_not(&walk->pool, switching->any);

		switching->matched = either(walk, switching->matched, condition);
		statement = statement->children[1];
	}
	return statement;
}

/* Walks one statement of the body where one of the labels before it matched. */
static bool walk_case_statement(struct walk_state *walk, const struct expr *matched, const struct node *statement)
{
	const struct guard *guard = walk->guard;
	size_t mark = walk->trail_count;
	struct walk_changes changes, none = {NULL, 0};
	int64_t constant;
	bool goes_on;

	if (expr_is_constant(matched, &constant) && !constant)
		return true;
	walk_guard(walk, matched, false, statement->place);
	goes_on = walk_statement(walk, statement);
	walk->guard = guard;
	changes = walk_undo(walk, mark);
	walk_join_changes(walk, matched, &changes, &none, statement->place);
	return goes_on;
}

/* Jumps by `break` end here; others go on outwards. */
static void drop_leaves(struct walk_state *walk, unsigned mark, enum walk_leave_kind dropped)
{
	unsigned kept = mark;

	for (unsigned i = mark; i < walk->leave_count; i++)
		if (walk->leaves[i].kind != dropped)
			walk->leaves[kept++] = walk->leaves[i];
	walk->leave_count = kept;
}

static bool walk_switch(struct walk_state *walk, const struct node *node)
{
	const struct node *body = node->children[2];
	struct switching switching = {NULL, NULL, NULL};
	const struct guard *guard = walk->guard;
	unsigned leaves = walk->leave_count;

	if (node->children[0])
		walk_statement(walk, node->children[0]);
	if (!node->children[1] || !body)
		return true;
	switching.value = walk_integer(walk, node->children[1]);
	switching.any = all_cases(walk, switching.value, body);
	for (unsigned i = 0; i < body->child_count; i++) {
		const struct node *statement = open_labels(walk, &switching, body->children[i]);
		unsigned mark = walk->leave_count;

		if (!statement || !switching.matched)
			continue;
		if (statement->kind == NODE_BREAK)
			switching.matched = NULL;
		else if (!walk_case_statement(walk, switching.matched, statement))
			switching.matched = NULL;
		walk_guard_leaves(walk, mark, statement->place);
	}
	walk->guard = guard;
	drop_leaves(walk, leaves, LEAVE_BREAK);
	walk_guard_leaves(walk, leaves, node->place);
	return true;
}

/* ---- the rest ------------------------------------------------------------------------------------------------ */

static bool walk_return(struct walk_state *walk, const struct node *node)
{
	struct walk_frame *frame = walk->frame;
	struct walk_return returned = {walk->guard, NULL, frame->loop_depth > 0};

	if (node->child_count && frame->function->result && frame->function->result->shape == SHAPE_REFERENCE)
		returned.value = walk_pointer(walk, walk_locate(walk, node->children[0]));
	else if (node->child_count)
		returned.value = walk_evaluate(walk, node->children[0]);
	if (returned.value)
		ARENA_PUSH(walk->arena, frame->returns, frame->return_count, returned);
	push_leave(walk, LEAVE_RETURN);
	return false;
}

static bool walk_block(struct walk_state *walk, const struct node *node)
{
	for (unsigned i = 0; i < node->child_count; i++)
		if (!walk_statement(walk, node->children[i]))
			return false;
	return true;
}

static bool statement_of_kind(struct walk_state *walk, const struct node *node)
{
	switch (node->kind) {
	case NODE_BLOCK:
		return walk_block(walk, node);
	case NODE_DECLARE:
		if (!node->declaration->is_extern &&
		    (!node->declaration->is_global || node->declaration->storage != STORAGE_PLAIN || node->child_count))
			walk_initialise(walk, node->declaration, node_child(node, 0));
		return true;
	case NODE_IF:
		return walk_if(walk, node);
	case NODE_FOR:
	case NODE_WHILE:
	case NODE_DO:
		return walk_loop(walk, node);
	case NODE_SWITCH:
		return walk_switch(walk, node);
	case NODE_CASE:
		return walk_branch(walk, node->children[1]);
	case NODE_RETURN:
		return walk_return(walk, node);
	case NODE_BREAK:
		push_leave(walk, LEAVE_BREAK);
		return false;
	case NODE_CONTINUE:
		push_leave(walk, LEAVE_CONTINUE);
		return false;
	case NODE_GOTO:
		walk_note(walk, node->place, "a jump by goto is taken as if it were not there");
		return true;
	case NODE_LABEL:
	case NODE_TRY:
		return walk_block(walk, node);
	case NODE_NOTHING:
		return true;
	case NODE_OPAQUE:
		walk_note(walk, node->place, "%s is left out",
		          node->reason ? node->reason : "a statement outside the model");
		walk_evaluate(walk, node);
		return true;
	default:
		walk_evaluate(walk, node);
		return true;
	}
}

bool walk_statement(struct walk_state *walk, const struct node *node)
{
	bool goes_on;

	if (!walk_may_go_on(walk))
		return true;
	walk->depth++;
	goes_on = statement_of_kind(walk, node);
	walk->depth--;
	return goes_on;
}
