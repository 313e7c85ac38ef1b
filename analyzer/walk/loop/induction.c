/*
 * Induction: the value of a variable after k iterations of a loop, from what it was before and how one iteration
 * changes it.
 */
#include "analyzer/walk/loop/loop.h"

/* ---- values -------------------------------------------------------------------------------------------- */

static const struct walk_value *stepped(struct walk_state *walk, const struct walk_value *start,
                                        const struct expr *amount, const struct expr *count, struct place place)
{
	struct expr_pool *pool = &walk->pool;
	const struct expr *moved, *first = start->scalar;
	int64_t value;

	if (start->kind == VALUE_POINTER) {
		amount = expr_cast(pool, amount, 64, true);
		moved = expr_binary(pool, EXPR_MUL, expr_cast(pool, count, 64, true), amount, 64, true);
		return walk_pointer(walk, walk_advance(walk, start->at, moved));
	}
	if (start->kind != VALUE_SCALAR)
		return walk_unknown(walk, NULL, "a record stepped in a loop", place);
	count = expr_cast(pool, count, first->bits, first->is_signed);
	if (expr_is_constant(amount, &value) && value < 0 && value != INT64_MIN) {
		moved = expr_binary(pool, EXPR_MUL, count, expr_constant(pool, -value, first->bits, first->is_signed),
		                    first->bits, first->is_signed);
		return walk_scalar(walk, expr_binary(pool, EXPR_SUB, first, moved, first->bits, first->is_signed));
	}
	moved = expr_binary(pool, EXPR_MUL, count, expr_cast(pool, amount, first->bits, first->is_signed), first->bits,
	                    first->is_signed);
	if (expr_is_constant(first, NULL))
		return walk_scalar(walk, expr_binary(pool, EXPR_ADD, moved, first, first->bits, first->is_signed));
	return walk_scalar(walk, expr_binary(pool, EXPR_ADD, first, moved, first->bits, first->is_signed));
}

static const struct walk_value *shifted(struct walk_state *walk, const struct walk_induction *induction,
                                        const struct expr *count)
{
	struct expr_pool *pool = &walk->pool;
	const struct expr *start = induction->start->scalar;
	const struct expr *amount =
		expr_binary(pool, EXPR_MUL, count, expr_cast(pool, induction->amount, 32, true), 32, true);
	const struct expr *one = expr_constant(pool, 1, start->bits, start->is_signed);

	switch (induction->kind) {
	case CHANGE_SHIFT_LEFT:
		return walk_scalar(walk, expr_binary(pool, EXPR_SHL, start, amount, start->bits, start->is_signed));
	case CHANGE_SHIFT_RIGHT:
		return walk_scalar(walk, expr_binary(pool, EXPR_SHR, start, amount, start->bits, start->is_signed));
	case CHANGE_DIVIDE:
		return walk_scalar(walk,
		                   expr_binary(pool, EXPR_DIV, start,
		                               expr_binary(pool, EXPR_SHL, one, amount, start->bits, start->is_signed),
		                               start->bits, start->is_signed));
	default:
		amount = expr_binary(pool, EXPR_AND, expr_cast(pool, count, start->bits, start->is_signed), one,
		                     start->bits, start->is_signed);
		amount = expr_binary(pool, EXPR_MUL, amount,
		                     expr_cast(pool, induction->amount, start->bits, start->is_signed), start->bits,
		                     start->is_signed);
		return walk_scalar(walk, expr_binary(pool, EXPR_XOR, start, amount, start->bits, start->is_signed));
	}
}

const struct walk_value *walk_induction_value(struct walk_state *walk, const struct walk_induction *induction,
                                              const struct expr *count, struct place place)
{
	const struct walk_value *start = induction->start;

	if (!start)
		return walk_unknown(walk, induction->variable->type, "a variable that is not set", place);
	if (induction->kind == CHANGE_NONE)
		return start;
	if (induction->kind == CHANGE_STEP)
		return stepped(walk, start, induction->amount, count, place);
	if (induction->kind == CHANGE_IRREGULAR || start->kind != VALUE_SCALAR || start->scalar->op == EXPR_UNKNOWN)
		return walk_unknown(walk, induction->variable->type,
		                    induction->reason ? arena_printf(walk->arena, "'%s' in a loop: %s",
		                                                     induction->variable->name, induction->reason)
		                                      : "a variable that is not set",
		                    place);
	return shifted(walk, induction, count);
}
