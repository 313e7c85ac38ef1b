/*
 * The end of a block: what later blocks want is copied into the registers of its webs, then the branch is made.
 *
 * The copies happen at once: a value that one of them would overwrite before another reads it is saved first.
 */
#include "ptxparse/sass/translate/block.h"

#include <string.h>

struct leaving {
	uint16_t key;
	struct sass_value *value;
};

/* What the key holds at the block's end; NULL for a divisor that is not known. */
static struct sass_value *value_leaving(struct sass_translation *t, uint16_t key)
{
	struct sass_derived derived;
	struct sass_value *value;

	if (key < KEY_FIXED)
		return sass_key_get(t, key);
	derived = t->derived[key - KEY_FIXED];
	if (derived.high != KEY_NONE)
		return sass_value_pair(t, sass_key_get(t, derived.low), sass_key_get(t, derived.high));
	value = sass_key_get(t, derived.low);
	if (value->fact == FACT_INVERSE)
		return value->fact_value;
	return value->kind == VALUE_ENTRY && value->key == derived.low ? sass_value_entry(t, key) : NULL;
}

static bool is_overwritten(const struct sass_translation *t, const struct leaving *list, unsigned count, uint32_t reg)
{
	for (unsigned i = 0; i < count; i++)
		if (sass_web_out(t, t->block, list[i].key) == reg)
			return true;
	return false;
}

/* A value held by a register that the copies at the block's end overwrite is saved first. */
static struct sass_value *value_save(struct sass_translation *t, const struct leaving *list, unsigned count,
                                     struct sass_value *value)
{
	struct sass_value *saved;

	if (t->dry || value->kind != VALUE_ENTRY || !is_overwritten(t, list, count, sass_value_register(t, value)))
		return value;
	saved = sass_value_new(t, value->bits);
	sass_emit_copy(t, saved->reg, sass_bits_type(value->bits), value);
	return saved;
}

void sass_block_leave(struct sass_translation *t, struct sass_basic_block *block, struct sass_value **condition)
{
	struct leaving *list = arena_array(t->scratch, sass_set_size(block->wanted_out) + 1, sizeof(*list));
	unsigned count = 0;

	t->helping++;
	for (unsigned key = 0; key < KEY_LIMIT; key++) {
		struct sass_value *value;

		if (!block->wanted_out[key / 64]) {
			key |= 63;
			continue;
		}
		if (!sass_set_holds(block->wanted_out, key))
			continue;
		value = value_leaving(t, (uint16_t)key);
		if (!value) {
			sass_set_put(block->refused, key);
		} else if (value->kind == VALUE_ENTRY && value->key == key) {
			sass_set_put(block->passed, key);
			sass_set_put(t->used, key);
		} else {
			sass_value_operand(t, value);
			list[count++] = (struct leaving){(uint16_t)key, value};
		}
	}
	for (unsigned i = 0; i < count; i++)
		list[i].value = value_save(t, list, count, list[i].value);
	if (*condition)
		*condition = value_save(t, list, count, *condition);
	for (unsigned i = 0; i < count; i++)
		sass_emit_copy(t, t->dry ? 0 : sass_web_out(t, block, list[i].key), sass_bits_type(list[i].value->bits),
		               list[i].value);
	t->helping--;
}

static struct ptx_operand label(uint32_t block)
{
	return (struct ptx_operand){.kind = OPERAND_LABEL, .reg = PTX_NO_REGISTER, .value = block};
}

/* Guard and operand predicates of a branch together. */
static struct sass_value *branch_condition(struct sass_translation *t)
{
	struct sass_value *condition = sass_value_constant(t, 1, 1);

	if (t->guard)
		condition = t->guard_negated ? sass_predicate_not(t, t->guard) : t->guard;
	for (unsigned i = 0; i < t->insn->operand_count; i++)
		if (sass_source_is_predicate(t, i))
			condition = sass_predicate_and(t, condition, sass_source_predicate(t, i));
	return condition;
}

static void branch_emit(struct sass_translation *t, struct sass_basic_block *block)
{
	struct sass_value *condition = block->end == END_BRANCH ? branch_condition(t) : NULL;
	bool always = !condition || (condition->kind == VALUE_CONSTANT && condition->number);
	bool never = condition && condition->kind == VALUE_CONSTANT && !condition->number;
	uint32_t guard = PTX_NO_REGISTER;
	struct ptx_insn *insn;

	if (condition && condition->kind != VALUE_CONSTANT)
		guard = sass_value_register(t, condition);
	sass_block_leave(t, block, &condition);
	if (guard != PTX_NO_REGISTER)
		guard = sass_value_register(t, condition);
	insn = sass_emit_raw(t, never ? OP_nop : OP_bra, PTX_TYPE_NONE, 0, never ? 0 : 1);
	if (!never)
		insn->operands[0] = label(block->target);
	insn->guarded = !always && !never;
	insn->guard = guard;
	sass_main_is_last(t);
}

/* The number in a table of targets, where the register was loaded from one. */
static struct sass_value *table_index(struct sass_translation *t)
{
	struct sass_value *target = sass_source_plain(t, 0);

	if (target->fact != FACT_TABLE)
		return target;
	return sass_emit(t, OP_shr, PTX_u32, 32, target->fact_value, sass_value_constant(t, 32, 2), NULL);
}

static void indexed_emit(struct sass_translation *t, struct sass_basic_block *block)
{
	struct sass_value *index = table_index(t);
	struct ptx_operand *labels =
		arena_array(t->dry ? t->scratch : t->arena, block->target_count + 1u, sizeof(*labels));
	struct ptx_insn *insn;
	struct ptx_operand operand;

	sass_value_operand(t, index);
	sass_block_leave(t, block, &index);
	operand = sass_value_operand(t, index);
	for (uint32_t i = 0; i < block->target_count; i++)
		labels[i] = label(block->targets[i]);
	insn = sass_emit_raw(t, OP_brx_idx, PTX_TYPE_NONE, 0, 2);
	insn->operands[0] = operand;
	insn->operands[1] = (struct ptx_operand){
		.kind = OPERAND_VECTOR, .count = (uint16_t)block->target_count, .elements = labels};
	sass_main_is_last(t);
}

void sass_block_end(struct sass_translation *t, struct sass_basic_block *block, uint32_t index)
{
	sass_insn_begin(t, index);
	if (t->guard && t->guard->kind == VALUE_CONSTANT && block->end != END_BRANCH)
		t->guard = NULL;
	switch (block->end) {
	case END_INDEXED:
		indexed_emit(t, block);
		break;
	case END_EXIT:
		sass_insn_main_make(t, OP_exit);
		break;
	default:
		branch_emit(t, block);
		break;
	}
	sass_insn_finish(t);
}

void sass_block_fall(struct sass_translation *t, struct sass_basic_block *block, uint32_t self)
{
	struct ptx_insn *insn;
	struct sass_control control;

	if (block->fall == self + 1)
		return;
	control = sass_insn_control(t);
	insn = sass_emit_raw(t, block->fall == SASS_NO_BLOCK ? OP_exit : OP_bra, PTX_TYPE_NONE, 0,
	                     block->fall != SASS_NO_BLOCK);
	if (block->fall != SASS_NO_BLOCK)
		insn->operands[0] = label(block->fall);
	ARENA_PUSH(t->arena, t->controls, t->control_count, control);
}
