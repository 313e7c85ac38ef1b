/*
 * Control, barriers, and instructions of which only is said what they write.
 */
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

/* Nothing that values depend on. */
void sass_handle_none(struct sass_translation *t, const struct sass_insn *insn)
{
	(void)t;
	(void)insn;
}

/* The predicates in front and as many registers as the type has words. */
void sass_handle_unknown(struct sass_translation *t, const struct sass_insn *insn)
{
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->entry->type), i = 0;
	unsigned words = sass_has(insn, "128") || bytes > 8 ? 4 : sass_has(insn, "64") || bytes == 8 ? 2 : 1;

	for (; sass_source_is_predicate(t, i); i++)
		if (insn->operands[i].key != KEY_TRUE)
			sass_result(t, i, sass_value_unknown(t, 1));
	if (i >= insn->operand_count || insn->operands[i].kind != SASS_REGISTER || insn->operands[i].key == KEY_ZERO)
		return;
	for (unsigned k = 0; k < words && t->result_count < ARRAY_COUNT(t->results); k++) {
		t->results[t->result_count].key = (uint16_t)(insn->operands[i].key + k);
		t->results[t->result_count++].value = sass_value_unknown(t, 32);
	}
}

void sass_handle_unknown_predicates(struct sass_translation *t, const struct sass_insn *insn)
{
	for (unsigned i = 0; i < 2 && i < insn->operand_count; i++)
		if (sass_source_is_predicate(t, i) && insn->operands[i].key != KEY_TRUE)
			sass_result(t, i, sass_value_unknown(t, 1));
}

void sass_handle_unknown_register(struct sass_translation *t, const struct sass_insn *insn)
{
	if (insn->operand_count && insn->operands[0].kind == SASS_REGISTER)
		sass_result(t, 0, sass_value_unknown(t, 32));
}

static void control_emit(struct sass_translation *t, enum ptx_operation operation)
{
	uint32_t guard = t->guard ? sass_value_register(t, t->guard) : PTX_NO_REGISTER;
	struct ptx_insn *insn = sass_emit_raw(t, operation, PTX_TYPE_NONE, 0, 0);

	insn->guarded = t->guard != NULL;
	insn->guard = guard;
	insn->guard_negated = t->guard_negated;
	sass_main_is_last(t);
}

/* Under a guard: the block goes on for the other lanes. */
void sass_handle_exit(struct sass_translation *t, const struct sass_insn *insn)
{
	(void)insn;
	control_emit(t, OP_exit);
}

/* BPT.TRAP ends the launch; a breakpoint does not. */
void sass_handle_trap(struct sass_translation *t, const struct sass_insn *insn)
{
	control_emit(t, sass_has(insn, "TRAP") ? OP_trap : OP_brkpt);
}

void sass_handle_barrier(struct sass_translation *t, const struct sass_insn *insn)
{
	control_emit(t, sass_has(insn, "ARV") ? OP_bar_arrive : sass_has(insn, "RED") ? OP_bar_red : OP_bar_sync);
}

#define FIRST_RESULT 4 /* register in which functions return what they return */

/* The call as one instruction. */
static void call_emit(struct sass_translation *t, struct sass_call call)
{
	sass_emit_raw(t, OP_nop, PTX_TYPE_NONE, 0, 0);
	sass_main_is_last(t);
	call.insn = t->main;
	if (!t->dry)
		ARENA_PUSH(t->arena, t->calls, t->call_count, call);
}

/* What a function of the system does. What is read after a call is what it returns, or was kept. */
static void callee_call(struct sass_translation *t, const struct sass_callee *callee)
{
	if (callee->ends) {
		control_emit(t, OP_trap);
		return;
	}
	for (unsigned i = 0; i < callee->words; i++) {
		t->results[t->result_count].key = (uint16_t)(FIRST_RESULT + i);
		t->results[t->result_count++].value = sass_value_unknown(t, 32);
	}
	call_emit(t, (struct sass_call){.name = callee->spelling});
}

/* A call that is not followed: registers that a callee may change hold nothing known. */
void sass_handle_call(struct sass_translation *t, const struct sass_insn *insn)
{
	const struct sass_callee *callee = sass_callee_find(t->cubin, t->listing, t->index);
	const char *target = insn->operand_count ? insn->operands[insn->operand_count - 1].text : "";

	if (callee) {
		callee_call(t, callee);
		return;
	}
	for (unsigned i = 0; i < KEY_ZERO; i++)
		if (i != 1 && (t->current[i] || t->entries[i] || i < 24))
			sass_key_set(t, (uint16_t)i, sass_value_unknown(t, 32));
	call_emit(t, (struct sass_call){.name = sass_call_is_indirect(insn) ? NULL : target, .is_unfollowed = true});
}
