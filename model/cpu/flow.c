/* What stands between segments: where the active lanes go, what they do together, barriers and calls. */
#include "model/cpu/internal.h"

#include <string.h>

/* Goes to a case with all active lanes. back: one that stands before, where a turn may end. */
static void jump_write(struct cpu_translation *t, uint32_t target, bool back)
{
	text_printf(t->out, "%s(%u);\n", back ? "BACK" : "JUMP", target);
}

static uint32_t case_next(const struct cpu_translation *t, uint32_t index)
{
	while (t->function->segments[++index].number == CPU_NO_CASE)
		;
	return t->function->segments[index].number;
}

static uint32_t case_here(const struct cpu_translation *t, uint32_t index)
{
	while (t->function->segments[index].number == CPU_NO_CASE)
		index--;
	return t->function->segments[index].number;
}

/* ---- branches -------------------------------------------------------------------------------- */

static void branch_write(struct cpu_translation *t, uint32_t index, const struct ptx_insn *insn)
{
	uint32_t target = t->function->case_at[insn->operands[0].value], next = case_next(t, index);
	bool back = target <= case_here(t, index);

	if (!insn->guarded) {
		jump_write(t, target, back);
		return;
	}
	text_puts(t->out, "if (g == m) ");
	jump_write(t, target, back);
	text_printf(t->out, "if (g) { cpu_park(F, %u, g); cpu_park(F, %u, m & ~g); %s goto next; }\n", target, next,
	            back ? "if (--w->fuel < 0) goto tired;" : "");
	jump_write(t, next, false);
}

/* Each lane to the place that its number has in a list. */
static void switch_write(struct cpu_translation *t, uint32_t index, const struct ptx_insn *insn)
{
	const struct ptx_operand *list = &insn->operands[1];

	text_puts(t->out, "{ static const u32 places[] = {");
	for (unsigned i = 0; i < list->count; i++)
		text_printf(t->out, "%u, ", t->function->case_at[list->elements[i].value]);
	text_printf(t->out, "0};\nLANES(g) { if (t0[l] >= %u) cpu_leave(\"a branch leaves its list\"); ", list->count);
	text_puts(t->out, "cpu_park(F, places[t0[l]], (u32)1 << l); } }\n");
	if (insn->guarded)
		text_printf(t->out, "cpu_park(F, %u, m & ~g);\n", case_next(t, index));
	text_puts(t->out, "if (--w->fuel < 0) goto tired;\ngoto next;\n");
}

/* The end of lanes, or of all that the function was called for. */
static void return_write(struct cpu_translation *t, uint32_t index, const struct ptx_insn *insn)
{
	bool ends = t->function->ptx->is_kernel || (insn && insn->operation == OP_exit);

	if (insn && insn->operation == OP_trap)
		text_puts(t->out, "if (g) cpu_leave(\"it traps\");\n");
	text_puts(t->out, insn ? "" : "g = m;\n");
	text_puts(t->out, ends ? "cpu_exit(w, F, g);\n" : "F->live &= ~g;\n");
	if (!insn || !insn->guarded) {
		text_puts(t->out, "goto next;\n");
		return;
	}
	text_puts(t->out, "m &= ~g; if (!m) goto next;\n");
	jump_write(t, case_next(t, index), false);
}

/* ---- barriers and calls -------------------------------------------------------------------------- */

static void barrier_write(struct cpu_translation *t, uint32_t index, const struct ptx_insn *insn)
{
	uint32_t next = case_next(t, index);

	if (insn->operation == OP_bar_arrive) {
		text_puts(t->out, "cpu_arrive(w, id, wanted, g, CPU_NONE, 0);\n");
		jump_write(t, next, false);
		return;
	}
	text_printf(t->out, "cpu_arrive(w, id, wanted, g, %u, truths);\n", next);
	text_printf(t->out, "cpu_park(F, %u, m & ~g);\ngoto next;\n", next);
}

/* Copies bytes from a place of the caller's frame to one of the callee's, or back. */
static void copy_write(struct cpu_translation *t, const struct ptx_insn *insn, const struct ptx_operand *operand,
                       uint64_t at, const struct ptx_variable *variable, bool back)
{
	const char *own = operand->kind == OPERAND_SYMBOL ? cpu_slot_address(t, operand->symbol) : NULL;
	unsigned long long bytes = variable->count * ptx_type_bytes((enum ptx_type)variable->type);
	unsigned long long other = t->function->frame_bytes + at;

	if (!own)
		cpu_refuse(t, insn, "a call has arguments that are no parameters");
	else if (back)
		text_printf(t->out, "memcpy(%s, S + %llu, %llu); ", own, other, bytes);
	else
		text_printf(t->out, "memcpy(S + %llu, %s, %llu); ", other, own, bytes);
}

static void call_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const struct ptx_operand *callee = &insn->operands[insn->destinations];
	struct cpu_function *called = callee->kind == OPERAND_SYMBOL ? cpu_function_find(t, callee->symbol) : NULL;
	unsigned count = insn->operand_count - insn->destinations - 1;

	if (!called || !called->ptx->has_body || called->ptx->parameter_count != count ||
	    called->ptx->result_count != insn->destinations) {
		cpu_refuse(t, insn,
		           callee->kind == OPERAND_SYMBOL ? "it calls a function that has no code here"
		                                          : "it calls a function by a pointer");
		return;
	}
	text_printf(t->out,
	            "if (g) {\nif (frame + %llu > w->local_stride) cpu_leave(\"its calls nest too deep\");\nLANES(g) { "
	            "LANE; ",
	            (unsigned long long)(t->function->frame_bytes + called->frame_bytes));
	for (unsigned i = 0; i < count; i++)
		copy_write(t, insn, &callee[1 + i], called->parameter_at[i], &called->ptx->parameters[i], false);
	text_printf(t->out, "}\nM%uF%u(w, g, frame + %llu);\nLANES(g) { LANE; ", t->number, called->number,
	            (unsigned long long)t->function->frame_bytes);
	for (unsigned i = 0; i < insn->destinations; i++)
		copy_write(t, insn, &insn->operands[i], called->result_at[i], &called->ptx->results[i], true);
	text_puts(t->out, "}\nif (w->exited) { F->live &= ~w->exited; m &= ~w->exited; if (!m) goto next; }\n}\n");
}

/* ---- what lanes do together --------------------------------------------------------------------------- */

static const char *together_call(struct cpu_translation *t, const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_shfl_up:
		return "cpu_shfl(CPU_UP, g, t0, t1, t2, t4, t5)";
	case OP_shfl_down:
		return "cpu_shfl(CPU_DOWN, g, t0, t1, t2, t4, t5)";
	case OP_shfl_bfly:
		return "cpu_shfl(CPU_BUTTERFLY, g, t0, t1, t2, t4, t5)";
	case OP_shfl_idx:
		return "cpu_shfl(CPU_INDEX, g, t0, t1, t2, t4, t5)";
	case OP_vote_all:
		return "cpu_vote_all(g, t0, t1, t4)";
	case OP_vote_any:
		return "cpu_vote_any(g, t0, t1, t4)";
	case OP_vote_uni:
		return "cpu_vote_uni(g, t0, t1, t4)";
	case OP_vote_ballot:
		return "cpu_ballot(g, t0, t1, t4)";
	case OP_match_any:
		return "cpu_match_any(g, t0, t1, t4)";
	case OP_match_all:
		return "cpu_match_all(g, t0, t1, t4, t5)";
	default:
		break;
	}
	static const char *const reductions[] = {"add", "and", "or", "xor", "min", "max"};
	const char *type = insn->type == PTX_s32 ? "s32" : "u32", *found = NULL;
	for (unsigned i = 0; i < ARRAY_COUNT(reductions); i++)
		if (cpu_says(insn, reductions[i]))
			found = arena_printf(t->arena, "cpu_redux_%s_%s(g, t0, t1, t4)", reductions[i],
			                     i >= 1 && i <= 3 ? "u32" : type);
	if (!found || ptx_type_is_float((enum ptx_type)insn->type))
		cpu_refuse(t, insn, "it is not translated");
	return found ? found : "";
}

static void join_write(struct cpu_translation *t, uint32_t index)
{
	text_printf(t->out, "if ((wanted & F->live & ~m) && !cpu_join(w, F, %u, wanted, &m)) goto next;\n",
	            case_here(t, index));
	if (!t->function->ptx->is_kernel)
		text_puts(
			t->out,
			"else if (wanted & w->flow.live & ~F->live & ~w->exited) cpu_leave(\"lanes of a warp meet in a "
			"function that they did not enter together\");\n");
}

void cpu_end_write(struct cpu_translation *t, uint32_t index)
{
	const struct cpu_segment *segment = &t->function->segments[index];
	const struct ptx_insn *insn = segment->insn == CPU_NO_CASE ? NULL : &t->function->ptx->insns[segment->insn];

	switch (segment->end) {
	case END_NONE:
		break;
	case END_CASE:
		jump_write(t, case_next(t, index), false);
		break;
	case END_JOIN:
		join_write(t, index);
		break;
	case END_TOGETHER:
		text_printf(t->out, "%s; h = g;\n", together_call(t, insn));
		break;
	case END_CALL:
		call_write(t, insn);
		break;
	case END_BRANCH:
		(insn->operation == OP_bra ? branch_write : switch_write)(t, index, insn);
		break;
	case END_RETURN:
		return_write(t, index, insn);
		break;
	case END_BARRIER:
		barrier_write(t, index, insn);
		break;
	}
}
