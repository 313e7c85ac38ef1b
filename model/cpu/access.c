/* What instructions load and store, atomic operations, and calls of functions that have no PTX. */
#include "model/cpu/internal.h"

#include <string.h>

bool cpu_accesses(const struct ptx_insn *insn)
{
	return insn->operation == OP_ld || insn->operation == OP_st || insn->operation == OP_atom ||
	       insn->operation == OP_red || insn->operation == OP_cp_async;
}

static const struct ptx_operand *element(const struct ptx_operand *operand, unsigned i)
{
	return operand->kind == OPERAND_VECTOR ? &operand->elements[i] : operand;
}

/* "s8", "u32" of f32 and b32; NULL: none of those that are accessed. */
static const char *memory_type(const struct ptx_insn *insn)
{
	static const char *const plain[] = {NULL, "u8", "u16", NULL, "u32", NULL, NULL, NULL, "u64"};
	static const char *const with_sign[] = {NULL, "s8", "s16", NULL, "s32", NULL, NULL, NULL, "s64"};
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type);

	return bytes > 8 ? NULL : ptx_type_is_signed((enum ptx_type)insn->type) ? with_sign[bytes] : plain[bytes];
}

/* What is looked at here may be changed by others, which may be waiting for their turn. */
static void wait_count(struct cpu_translation *t)
{
	text_puts(t->out, "w->fuel -= CPU_SPIN / CPU_LANES; F->patience += 4; ");
}

static void plain_access(struct cpu_translation *t, const struct ptx_insn *insn, const char *type)
{
	bool loads = insn->operation == OP_ld;
	unsigned bytes = ptx_type_bytes((enum ptx_type)insn->type), count = insn->vector ? insn->vector : 1;
	const struct ptx_operand *at = &insn->operands[loads], *values = &insn->operands[!loads];

	if (count > 1 && (values->kind != OPERAND_VECTOR || values->count < count)) {
		cpu_refuse(t, insn, "it is not translated");
		return;
	}
	if (loads && insn->volatile_access)
		wait_count(t);
	text_printf(t->out, "unsigned char *a_ = %s; ", cpu_address(t, insn, at, (enum ptx_space)insn->space));
	for (unsigned i = 0; i < count; i++) {
		const struct ptx_operand *value = element(values, i);

		if (loads)
			cpu_assign(t, value, arena_printf(t->arena, "ld_%s(a_ + %u)", type, i * bytes));
		else
			text_printf(t->out, "st_%s(a_ + %u, (%s)%s); ", type, i * bytes, type,
			            cpu_value(t, insn, value));
	}
}

static void atomic_access(struct cpu_translation *t, const struct ptx_insn *insn)
{
	static const char *const names[] = {"", "add", "exch", "cas", "min", "max", "and", "or", "xor", "inc", "dec"};
	static const char known[] = " add_u32 min_u32 max_u32 exch_u32 cas_u32 and_u32 or_u32 xor_u32 inc_u32 dec_u32"
				    " add_u64 min_u64 max_u64 exch_u64 cas_u64 and_u64 or_u64 xor_u64 exch_u16 cas_u16"
				    " add_s32 min_s32 max_s32 add_s64 min_s64 max_s64 add_f32 add_f64 min_f32 max_f32"
				    " add_f16 add_bf16 add_f16x2 add_bf16x2 ";
	const char *word = ptx_type_name((enum ptx_type)insn->type);
	bool untyped = word[0] == 'b' && word[1] != 'f', returns = insn->operation == OP_atom;
	const char *name =
		arena_printf(t->arena, "%s_%s%s", names[insn->atomic], untyped ? "u" : "", untyped ? word + 1 : word);
	unsigned first = 1 + returns;

	if (!strstr(known, arena_printf(t->arena, " %s ", name)) || insn->vector > 1 || insn->operand_count <= first) {
		cpu_refuse(t, insn, "it is not translated");
		return;
	}
	const char *other = insn->operand_count > first + 1 && insn->atomic == ATOMIC_CAS
	                            ? cpu_value(t, insn, &insn->operands[first + 1])
	                            : "0";
	const char *call = arena_printf(t->arena, "atom_%s(%s, %s, %s)", name,
	                                cpu_address(t, insn, &insn->operands[returns], (enum ptx_space)insn->space),
	                                cpu_value(t, insn, &insn->operands[first]), other);
	wait_count(t);
	if (returns && insn->operands[0].kind == OPERAND_REGISTER)
		cpu_assign(t, &insn->operands[0], call);
	else
		text_printf(t->out, "%s; ", call);
}

/* A copy to shared memory happens at once. What the source has less is zero. */
static void copy_access(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const struct ptx_operand *size = &insn->operands[insn->operand_count > 3 ? 3 : 2];
	bool is_predicate = size->kind == OPERAND_REGISTER && t->function->ptx->registers[size->reg].type == PTX_pred;

	if (insn->operand_count < 3 || insn->operand_count > 4 || is_predicate ||
	    insn->operands[2].kind != OPERAND_IMMEDIATE) {
		cpu_refuse(t, insn, "it is not translated");
		return;
	}
	text_printf(t->out, "unsigned char *d_ = %s; ", cpu_address(t, insn, &insn->operands[0], SPACE_SHARED));
	text_printf(t->out, "u32 n_ = %s; memset(d_, 0, %lld); memcpy(d_, %s, n_); ", cpu_value(t, insn, size),
	            (long long)insn->operands[2].value, cpu_address(t, insn, &insn->operands[1], SPACE_GLOBAL));
}

void cpu_access(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const char *type = memory_type(insn);

	if (insn->operation == OP_cp_async)
		copy_access(t, insn);
	else if (insn->operation == OP_atom || insn->operation == OP_red)
		atomic_access(t, insn);
	else if (!type || insn->space == SPACE_TEXTURE)
		cpu_refuse(t, insn, "it is not translated");
	else
		plain_access(t, insn, type);
}

/* ---- calls of functions that have no PTX ------------------------------------------------------- */

void cpu_builtin(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const struct ptx_operand *callee = &insn->operands[insn->destinations];
	unsigned count = insn->operand_count - insn->destinations - 1;
	const char *slots[5] = {"", "", "", "", ""}, *result = NULL;
	bool complete = count <= 5 && count >= 1;

	for (unsigned i = 0; i < count && i < 5; i++) {
		slots[i] = callee[1 + i].kind == OPERAND_SYMBOL ? cpu_slot_address(t, callee[1 + i].symbol) : NULL;
		complete &= slots[i] != NULL;
	}
	if (insn->destinations)
		result =
			insn->operands[0].kind == OPERAND_SYMBOL ? cpu_slot_address(t, insn->operands[0].symbol) : NULL;
	if (!complete || (insn->destinations && !result))
		cpu_refuse(t, insn, "it is not translated");
	else if (strcmp(callee->symbol, "vprintf") == 0 && count == 2 && result)
		text_printf(t->out,
		            "st_u32(%s, cpu_vprintf((const char *)ld_u64(%s), (const unsigned char *)ld_u64(%s))); ",
		            result, slots[0], slots[1]);
	else if (strcmp(callee->symbol, "malloc") == 0 && result)
		text_printf(t->out, "st_u64(%s, (u64)malloc(ld_u64(%s))); ", result, slots[0]);
	else if (strcmp(callee->symbol, "free") == 0)
		text_printf(t->out, "free((void *)ld_u64(%s)); ", slots[0]);
	else if (strcmp(callee->symbol, "__assertfail") == 0 && count >= 4)
		text_printf(t->out,
		            "cpu_assertfail((const char *)ld_u64(%s), (const char *)ld_u64(%s), ld_u32(%s), "
		            "(const char *)ld_u64(%s)); ",
		            slots[0], slots[1], slots[2], slots[3]);
	else
		cpu_refuse(t, insn, "it is not translated");
}
