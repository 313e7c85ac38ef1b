/*
 * A segment as a loop over the active lanes: registers that other segments name, too, are taken out of the warp's
 * arrays and put back; the others are the loop's own.
 */
#include "model/cpu/internal.h"

/* How a segment uses a register. */
enum register_use { USE_NAMED = 1, USE_LOADED = 2, USE_WRITTEN = 4, USE_SURE = 8 };
struct uses {
	struct cpu_translation *t;
	uint32_t *list;
	size_t count;
};

static void use_see(void *context, uint32_t reg, bool written, bool sure)
{
	struct uses *uses = context;
	uint8_t *use = &uses->t->uses[reg];

	if (!*use)
		ARENA_PUSH(uses->t->arena, uses->list, uses->count, reg);
	if (!(*use & USE_SURE) && !(written && sure))
		*use |= USE_LOADED;
	*use |= (uint8_t)(USE_NAMED | (written ? USE_WRITTEN : 0) | (written && sure ? USE_SURE : 0));
}

static bool is_own(const struct cpu_translation *t, uint32_t reg)
{
	return t->function->home[reg] == t->segment + 1;
}

static void registers_load(struct cpu_translation *t, const struct uses *uses)
{
	for (size_t i = 0; i < uses->count; i++) {
		uint32_t reg = uses->list[i];
		const char *type = cpu_register_type(t->function->ptx, reg);

		if (!type)
			cpu_refuse(t, NULL, "it has registers of more than 64 bits");
		else if ((t->uses[reg] & USE_LOADED) && !is_own(t, reg))
			text_printf(t->out, "%s r%u = R->r%u[l]; ", type, reg, reg);
		else
			text_printf(t->out, "%s r%u = 0; ", type, reg);
	}
	text_puts(t->out, "\n");
}

static void registers_store(struct cpu_translation *t, const struct uses *uses)
{
	for (size_t i = 0; i < uses->count; i++)
		if ((t->uses[uses->list[i]] & USE_WRITTEN) && !is_own(t, uses->list[i]))
			text_printf(t->out, "R->r%u[l] = r%u; ", uses->list[i], uses->list[i]);
}

/* ---- items ------------------------------------------------------------------------------------ */

static void guard_open(struct cpu_translation *t, const struct ptx_insn *insn)
{
	if (insn->guarded)
		text_printf(t->out, "if (%sr%u) ", insn->guard_negated ? "!" : "", insn->guard);
	text_puts(t->out, "{ ");
}

static void whole_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	guard_open(t, insn);
	if (insn->operation == OP_call)
		cpu_builtin(t, insn);
	else if (cpu_accesses(insn))
		cpu_access(t, insn);
	else
		cpu_compute(t, insn);
	text_puts(t->out, "}\n");
}

static void sources_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	unsigned count = insn->operand_count - insn->destinations;

	guard_open(t, insn);
	text_puts(t->out, "g |= (u32)1 << l; ");
	for (unsigned i = 0; i < count && i < 4; i++)
		text_printf(t->out, "t%u[l] = %s; ", i, cpu_source(t, insn, i));
	if (!cpu_members(insn))
		text_printf(t->out, "t%u[l] = ~(u32)0; ", count);
	text_puts(t->out, "}\n");
}

static void results_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	text_puts(t->out, "if (h >> l & 1) { ");
	for (unsigned i = 0; i < insn->destinations; i++)
		cpu_assign(t, &insn->operands[i], i ? "t5[l]" : "t4[l]");
	text_puts(t->out, "}\n");
}

static void guard_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	guard_open(t, insn);
	text_puts(t->out, "g |= (u32)1 << l; ");
	if (insn->operation == OP_brx_idx)
		text_printf(t->out, "t0[l] = %s; ", cpu_value(t, insn, &insn->operands[0]));
	text_puts(t->out, "}\n");
}

/* Number, count and truth of a barrier: all lanes have the same number and count. */
static void barrier_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	unsigned count = insn->operand_count - insn->destinations;
	bool reduces = insn->operation == OP_bar_red, counted = reduces ? count == 3 : count > 1;

	guard_open(t, insn);
	text_printf(t->out, "g |= (u32)1 << l; id = %s; ", cpu_source(t, insn, 0));
	if (counted)
		text_printf(t->out, "wanted = %s; ", cpu_source(t, insn, 1));
	if (reduces)
		text_printf(t->out, "truths |= (u32)(%s) << l; ", cpu_source(t, insn, count - 1));
	text_puts(t->out, "}\n");
}

static void reduced_write(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const struct ptx_operand *id = &insn->operands[insn->destinations];
	unsigned which = cpu_says(insn, "popc") ? 0 : cpu_says(insn, "and") ? 1 : 2;

	if (id->kind == OPERAND_REGISTER && t->function->constant[id->reg])
		id = t->function->constant[id->reg];
	if (insn->guarded || id->kind != OPERAND_IMMEDIATE || id->value < 0 || id->value > 15)
		cpu_refuse(t, insn, "a reduction over a block has a guard, or a barrier that depends");
	cpu_assign(t, &insn->operands[0],
	           arena_printf(t->arena, "B->barriers[%lld].result[%u]", (long long)id->value & 15, which));
	text_puts(t->out, "\n");
}

static void item_write(struct cpu_translation *t, const struct cpu_item *item)
{
	const struct ptx_insn *insn = &t->function->ptx->insns[item->insn];

	switch (item->kind) {
	case ITEM_WHOLE:
		whole_write(t, insn);
		break;
	case ITEM_MEMBERS:
		text_printf(t->out, "wanted |= (u32)(%s);\n", cpu_value(t, insn, cpu_members(insn)));
		break;
	case ITEM_SOURCES:
		sources_write(t, insn);
		break;
	case ITEM_RESULTS:
		results_write(t, insn);
		break;
	case ITEM_GUARD:
		guard_write(t, insn);
		break;
	case ITEM_BARRIER:
		barrier_write(t, insn);
		break;
	case ITEM_REDUCED:
		reduced_write(t, insn);
		break;
	}
}

void cpu_segment_write(struct cpu_translation *t, uint32_t index)
{
	const struct cpu_segment *segment = &t->function->segments[index];
	struct uses uses = {.t = t};

	t->segment = index;
	if (segment->number != CPU_NO_CASE)
		text_printf(t->out, "L%u:;\n", segment->number);
	text_puts(t->out, "g = wanted = truths = 0;\n");
	if (segment->item_count) {
		for (size_t i = 0; i < segment->item_count; i++)
			cpu_item_registers(t->function, &segment->items[i], use_see, &uses);
		text_puts(t->out, "LANES(m) { LANE; ");
		registers_load(t, &uses);
		for (size_t i = 0; i < segment->item_count; i++)
			item_write(t, &segment->items[i]);
		registers_store(t, &uses);
		for (size_t i = 0; i < uses.count; i++)
			t->uses[uses.list[i]] = 0;
		text_puts(t->out, "}\n");
	}
	cpu_end_write(t, index);
}
