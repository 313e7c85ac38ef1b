/*
 * The beginning and the end of one machine instruction: its guard, its control fields, and which of the instructions
 * emitted for it is counted.
 */
#include "ptxparse/sass/decode/decode.h"
#include "ptxparse/sass/handlers/handlers.h"

#include <string.h>

/* Of an access to shared memory: the register of its address, and the first one of what it stores. */
static void near_sources(const struct sass_insn *insn, struct sass_control *control)
{
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct sass_operand *operand = &insn->operands[i];

		if (operand->kind == SASS_ADDRESS && operand->term_count > 0 && operand->terms[0].key < KEY_ZERO)
			control->source[0] = (uint8_t)operand->terms[0].key;
		if (operand->kind != SASS_REGISTER || operand->key >= KEY_ZERO || i == 0)
			continue;
		control->source[1] = (uint8_t)operand->key;
		if (sass_has(insn, "64") || sass_has(insn, "128"))
			control->source_pairs |= 1u << 1;
	}
}

/* The registers that an instruction reads, by operand, and the one that arithmetic writes. */
static void control_registers(const struct sass_insn *insn, struct sass_control *control)
{
	unsigned first =
		insn->operand_count && insn->operands[0].kind == SASS_REGISTER && insn->operands[0].key <= KEY_ZERO;
	unsigned slot = 0;

	memset(control->source, SASS_NO_REGISTER, sizeof(control->source));
	control->target = SASS_NO_REGISTER;
	if (control->unit == UNIT_LOAD_STORE &&
	    (strncmp(insn->opcode, "LDS", 3) == 0 || strncmp(insn->opcode, "STS", 3) == 0 ||
	     strncmp(insn->opcode, "ATOMS", 5) == 0))
		near_sources(insn, control);
	if (control->uniform || control->unit == UNIT_LOAD_STORE || control->unit == UNIT_CONTROL ||
	    control->unit == UNIT_TENSOR)
		return;
	if (control->unit == UNIT_SHUFFLE && !first && insn->operand_count > 1)
		first = 2;
	else if (first && insn->operands[0].key < KEY_ZERO)
		control->target = (uint8_t)insn->operands[0].key;
	for (unsigned i = first; i < insn->operand_count && slot < 3; i++) {
		const struct sass_operand *operand = &insn->operands[i];

		if (operand->kind == SASS_REGISTER && operand->key >= KEY_PREDICATES)
			continue;
		if (operand->kind == SASS_REGISTER && operand->key < KEY_ZERO) {
			control->source[slot] = (uint8_t)operand->key;
			if (control->unit == UNIT_FP64 || (slot == 2 && sass_has(insn, "WIDE")))
				control->source_pairs |= (uint8_t)(1u << slot);
		}
		slot++;
	}
}

/* LDC, ULDC: c[bank][register + offset]. Addresses are loaded by numbers that are the same for all lanes: those of
 * functions. */
static bool is_numbered(const struct sass_insn *insn)
{
	const struct sass_operand *from = &insn->operands[1];

	return insn->operand_count > 1 && strstr(insn->opcode, "LDC") && from->kind == SASS_BANK && from->bank != 4 &&
	       from->key != KEY_NONE && from->key != KEY_ZERO;
}

/* DEPBAR.LE SB0, 0x1: assumed is that the scoreboard is the one of asynchronous copies, which LDGDEPBAR counts by. */
static uint8_t depth_of(const struct sass_insn *insn)
{
	const struct sass_operand *most = &insn->operands[1];

	if (insn->operand_count < 2 || strncmp(insn->opcode, "DEPBAR", 6) != 0 || !sass_has(insn, "LE") ||
	    most->kind != SASS_INTEGER || most->value < 0 || most->value >= UINT8_MAX)
		return 0;
	return (uint8_t)(1 + most->value);
}

struct sass_control sass_insn_control(const struct sass_translation *t)
{
	const uint8_t *code = t->listing->code ? t->listing->code + (size_t)t->index * SASS_INSN_BYTES : NULL;
	struct sass_control control =
		code ? decode_control(code) : (struct sass_control){.write_barrier = 7, .read_barrier = 7};

	control.address = t->index * SASS_INSN_BYTES;
	control.unit = t->insn->entry ? t->insn->entry->unit : UNIT_NONE;
	control.uniform = t->insn->opcode[0] == 'U' || strncmp(t->insn->opcode, "R2UR", 4) == 0;
	control.numbered = is_numbered(t->insn);
	control.depth = depth_of(t->insn);
	control_registers(t->insn, &control);
	return control;
}

static void guard_set(struct sass_translation *t)
{
	const struct sass_insn *insn = t->insn;

	t->guard = insn->guarded ? sass_key_get(t, insn->guard) : NULL;
	t->guard_negated = insn->guard_negated;
}

void sass_insn_main_make(struct sass_translation *t, enum ptx_operation operation)
{
	sass_emit_raw(t, operation, PTX_TYPE_NONE, 0, 0);
	sass_main_is_last(t);
}

/* The operation that counts an instruction for which no other was emitted: one without effects. */
static enum ptx_operation bare_operation(const struct sass_translation *t)
{
	struct ptx_insn insn = {.operation = t->insn->entry ? t->insn->entry->operation : (uint16_t)OP_nop};
	unsigned effects = FLAG_LOAD | FLAG_STORE | FLAG_BRANCH | FLAG_EXIT | FLAG_CALL;

	return ptx_insn_flags(&insn) & effects ? OP_nop : (enum ptx_operation)insn.operation;
}

void sass_insn_finish(struct sass_translation *t)
{
	struct sass_control control = sass_insn_control(t);

	if (t->main == UINT32_MAX || t->main < t->first_emitted)
		sass_insn_main_make(t, bare_operation(t));
	t->insns[t->main].synthetic = false;
	t->insns[t->main].spelling = t->insn->opcode;
	while (t->control_count < t->insn_count)
		ARENA_PUSH(t->arena, t->controls, t->control_count, control);
}

void sass_insn_begin(struct sass_translation *t, uint32_t index)
{
	t->index = index;
	t->insn = &t->listing->insns[index];
	t->first_emitted = t->insn_count;
	t->main = UINT32_MAX;
	t->result_count = 0;
	guard_set(t);
}
