/*
 * One block of machine instructions into the IR.
 *
 * A handler reads its operands as values and says what they become (result); afterwards the results are written, under
 * the instruction's guard where it has one: the new value where it holds, the old one elsewhere. Of what a handler
 * emitted, one instruction stands for the machine instruction and is counted, the others are synthetic. At the block's
 * end, what later blocks want is copied into its webs' registers, before the branch.
 */
#include "ptxparse/sass/translate/block.h"
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

/* Where the guard does not hold, a result leaves what there was. */
static void results_write(struct sass_translation *t)
{
	for (unsigned i = 0; i < t->result_count; i++) {
		uint16_t key = t->results[i].key;
		struct sass_value *value = t->results[i].value;

		if (t->guard)
			value = sass_value_select(t, t->guard, t->guard_negated, value, sass_key_get(t, key));
		sass_key_set(t, key, value);
	}
}

static void warn_opaque(struct sass_translation *t, const char *opcode)
{
	struct place place = {t->module->path, 0, 0};

	diagnostics_report(t->diagnostics, SEVERITY_WARNING, place,
	                   "machine instruction '%.60s' is not known: what it writes is taken to be unknown", opcode);
}

/* An opcode that no row describes: predicates and the register at the front are written. */
static void opaque_translate(struct sass_translation *t)
{
	unsigned i = 0;

	while (i < t->insn->operand_count && sass_source_is_predicate(t, i))
		sass_result(t, i++, sass_value_unknown(t, 1));
	if (i < t->insn->operand_count && t->insn->operands[i].kind == SASS_REGISTER) {
		bool wide = sass_has(t->insn, "64") || sass_has(t->insn, "F64");

		if (wide)
			sass_result_wide(t, i, sass_value_unknown(t, 64));
		else
			sass_result(t, i, sass_value_unknown(t, 32));
	}
	if (t->dry)
		return;
	t->code->opaque++;
	warn_opaque(t, t->insn->opcode);
}

static void insn_translate(struct sass_translation *t, uint32_t index)
{
	sass_insn_begin(t, index);
	if (t->guard && t->guard->kind == VALUE_CONSTANT) {
		bool holds = (t->guard->number != 0) != t->guard_negated;

		t->guard = NULL;
		if (!holds) {
			sass_insn_finish(t);
			return;
		}
	}
	if (sass_opcode_describes(t->insn))
		t->insn->entry->handler(t, t->insn);
	else
		opaque_translate(t);
	results_write(t);
	sass_insn_finish(t);
}

void sass_block_translate(struct sass_translation *t, struct sass_basic_block *block)
{
	uint32_t self = (uint32_t)(block - t->flow->blocks), plain = block->count - (block->end != END_FALL);
	struct sass_value *none = NULL;

	for (unsigned i = 0; i < t->touched_count; i++)
		t->current[t->touched[i]] = NULL;
	t->touched_count = t->bank_count = 0;
	memset(t->entries, 0, sizeof(t->entries));
	memset(t->used, 0, sizeof(t->used));
	memset(block->passed, 0, KEY_WORDS * sizeof(uint64_t));
	memset(block->refused, 0, KEY_WORDS * sizeof(uint64_t));
	t->block = block;
	t->listing = t->flow->contexts[block->context].listing;
	block->emitted = (uint32_t)t->insn_count;
	for (uint32_t i = 0; i < plain; i++)
		insn_translate(t, block->first + i);
	if (block->end != END_FALL) {
		sass_block_end(t, block, block->first + plain);
	} else {
		struct sass_control control = sass_insn_control(t);

		t->guard = NULL;
		sass_block_leave(t, block, &none);
		while (t->control_count < t->insn_count)
			ARENA_PUSH(t->arena, t->controls, t->control_count, control);
	}
	if (block->end == END_FALL || block->end == END_BRANCH)
		sass_block_fall(t, block, self);
}
