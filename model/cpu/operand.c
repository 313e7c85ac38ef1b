/*
 * Operands as C expressions. Registers are variables of a lane's loop; the address of a variable in global, constant,
 * parameter or local memory is the host's, so that a generic address is one, too. Shared memory has addresses of its
 * own, as PTX keeps them in 32 bits.
 *
 * A lane's frame holds, in this order: parameters and results of a called function, its local variables, its slots for
 * parameters of calls.
 */
#include "model/cpu/internal.h"

#include <string.h>

#define FRAME_ALIGNMENT 16

static uint64_t aligned(uint64_t offset, uint64_t to)
{
	return (offset + to - 1) / to * to;
}

static uint64_t variable_bytes(const struct ptx_variable *variable)
{
	return variable->count * ptx_type_bytes((enum ptx_type)variable->type);
}

/* ---- frames -------------------------------------------------------------------------------- */

static uint64_t *frame_place(struct cpu_translation *t, const struct ptx_variable *list, size_t count, uint64_t *offset)
{
	uint64_t *places = arena_array(t->arena, count + 1, sizeof *places);

	for (size_t i = 0; i < count; i++) {
		places[i] = *offset;
		*offset = aligned(*offset + variable_bytes(&list[i]), FRAME_ALIGNMENT);
	}
	return places;
}

static size_t variable_index(const struct ptx_variable *list, size_t count, const char *name)
{
	size_t i = 0;

	while (i < count && strcmp(list[i].name, name) != 0)
		i++;
	return i;
}

static bool is_parameter(const struct ptx_function *function, const char *name)
{
	return variable_index(function->parameters, function->parameter_count, name) < function->parameter_count ||
	       variable_index(function->results, function->result_count, name) < function->result_count;
}

/* Notes that a slot of the name needs so many bytes. */
static void slot_need(struct cpu_translation *t, const char *name, uint64_t bytes)
{
	struct cpu_function *function = t->function;
	size_t i = 0;

	if (!name || is_parameter(function->ptx, name))
		return;
	while (i < function->slot_count && strcmp(function->slots[i].name, name) != 0)
		i++;
	if (i == function->slot_count)
		ARENA_PUSH(t->arena, function->slots, function->slot_count, (struct cpu_slot){.name = name});
	if (bytes > function->slots[i].bytes)
		function->slots[i].bytes = bytes;
}

/* The parameters and results of a call, as large as the callee has them. */
static void call_need(struct cpu_translation *t, const struct ptx_insn *insn)
{
	const struct ptx_operand *callee = &insn->operands[insn->destinations];
	const struct ptx_function *called =
		callee->kind == OPERAND_SYMBOL ? ptx_module_find(t->module, callee->symbol) : NULL;

	for (size_t i = 0; called && i < insn->operand_count; i++) {
		const struct ptx_operand *operand = &insn->operands[i];
		size_t argument = i - insn->destinations - 1;
		const struct ptx_variable *variable =
			i < insn->destinations && i < called->result_count             ? &called->results[i]
			: i > insn->destinations && argument < called->parameter_count ? &called->parameters[argument]
										       : NULL;

		if (variable && operand->kind == OPERAND_SYMBOL)
			slot_need(t, operand->symbol, variable_bytes(variable));
	}
}

static void slots_find(struct cpu_translation *t)
{
	const struct ptx_function *function = t->function->ptx;

	for (size_t i = 0; i < function->insn_count; i++) {
		const struct ptx_insn *insn = &function->insns[i];
		const struct ptx_operand *at = &insn->operands[insn->operation == OP_ld];

		if (insn->operation == OP_call)
			call_need(t, insn);
		if ((insn->operation == OP_ld || insn->operation == OP_st) && insn->space == SPACE_PARAM &&
		    at->kind == OPERAND_ADDRESS && at->symbol && at->value >= 0)
			slot_need(t, at->symbol, (uint64_t)at->value + ptx_insn_access_bytes(insn));
	}
}

void cpu_frame_plan(struct cpu_translation *t)
{
	struct cpu_function *function = t->function;
	const struct ptx_function *ptx = function->ptx;
	uint64_t offset = 0;

	if (!ptx->is_kernel) {
		function->parameter_at = frame_place(t, ptx->parameters, ptx->parameter_count, &offset);
		function->result_at = frame_place(t, ptx->results, ptx->result_count, &offset);
	}
	function->local_at = offset;
	offset = aligned(offset + ptx->local_bytes, FRAME_ALIGNMENT);
	slots_find(t);
	for (size_t i = 0; i < function->slot_count; i++) {
		function->slots[i].offset = offset;
		offset = aligned(offset + function->slots[i].bytes, FRAME_ALIGNMENT);
	}
	function->frame_bytes = aligned(offset, 64);
}

/* ---- addresses of variables --------------------------------------------------------------------- */

const char *cpu_slot_address(struct cpu_translation *t, const char *symbol)
{
	const struct cpu_function *function = t->function;
	const struct ptx_function *ptx = function->ptx;
	size_t parameter = variable_index(ptx->parameters, ptx->parameter_count, symbol);
	size_t result = variable_index(ptx->results, ptx->result_count, symbol);

	if (parameter < ptx->parameter_count && ptx->is_kernel)
		return arena_printf(t->arena, "(P + %llu)", (unsigned long long)ptx->parameters[parameter].offset);
	if (parameter < ptx->parameter_count)
		return arena_printf(t->arena, "(S + %llu)", (unsigned long long)function->parameter_at[parameter]);
	if (result < ptx->result_count)
		return arena_printf(t->arena, "(S + %llu)", (unsigned long long)function->result_at[result]);
	for (size_t i = 0; i < function->slot_count; i++)
		if (strcmp(function->slots[i].name, symbol) == 0)
			return arena_printf(t->arena, "(S + %llu)", (unsigned long long)function->slots[i].offset);
	return NULL;
}

static const char *shared_address(struct cpu_translation *t, const struct ptx_insn *insn,
                                  const struct ptx_variable *variable)
{
	unsigned long long align = variable->align_bytes ? variable->align_bytes : 1;
	const struct ptx_function *ptx = t->function->ptx;
	bool own = variable_index(ptx->locals, ptx->local_count, variable->name) < ptx->local_count;

	if (own && !ptx->is_kernel)
		cpu_refuse(t, insn, "a called function has shared memory of its own");
	if (variable->count == 0)
		return arena_printf(t->arena, "(u32)((B->launch->kernel->shared_bytes + %lluu) / %lluu * %lluu)",
		                    align - 1, align, align);
	return arena_printf(t->arena, "(u32)%llu", (unsigned long long)variable->offset);
}

static const char *global_address(struct cpu_translation *t, const struct ptx_insn *insn,
                                  const struct ptx_variable *variable)
{
	size_t index = (size_t)(variable - t->module->variables);

	if (index >= t->module->variable_count)
		cpu_refuse(t, insn, "a function has a variable in global memory of its own");
	else if (variable->is_extern)
		cpu_refuse(t, insn, "a variable is defined elsewhere");
	else if (variable->initial_symbols)
		cpu_refuse(t, insn, "a variable begins with addresses of others");
	return arena_printf(t->arena, "(u64)M%u_addresses[%zu]", t->number, index);
}

/* The address of what a symbol names: of 32 bits for shared memory, else the host's. */
static const char *symbol_address(struct cpu_translation *t, const struct ptx_insn *insn, const char *symbol)
{
	const struct ptx_variable *variable = ptx_variable_find(t->module, t->function->ptx, symbol);
	const char *slot = cpu_slot_address(t, symbol);

	if (slot)
		return arena_printf(t->arena, "(u64)%s", slot);
	if (!variable) {
		cpu_refuse(t, insn, "it takes the address of a function");
		return "0";
	}
	if (variable->space == SPACE_SHARED)
		return shared_address(t, insn, variable);
	if (variable->space == SPACE_LOCAL)
		return arena_printf(t->arena, "(u64)(S + %llu)",
		                    (unsigned long long)(t->function->local_at + variable->offset));
	return global_address(t, insn, variable);
}

/* ---- operands -------------------------------------------------------------------------------------- */

const char *cpu_register_type(const struct ptx_function *function, uint32_t reg)
{
	static const char *const types[] = {"u8", "u8", "u16", NULL, "u32", NULL, NULL, NULL, "u64"};
	unsigned bytes =
		reg < function->register_count ? ptx_type_bytes((enum ptx_type)function->registers[reg].type) : 0;

	return bytes < ARRAY_COUNT(types) ? types[bytes] : NULL;
}

static const char *special_value(struct cpu_translation *t, const struct ptx_insn *insn,
                                 const struct ptx_operand *operand)
{
	static const char *const values[] = {
		"w->tid[0][l]",
		"w->tid[1][l]",
		"w->tid[2][l]",
		"B->launch->block[0]",
		"B->launch->block[1]",
		"B->launch->block[2]",
		"B->id[0]",
		"B->id[1]",
		"B->id[2]",
		"B->launch->grid[0]",
		"B->launch->grid[1]",
		"B->launch->grid[2]",
		"l",
		"w->index",
		"B->warp_count",
		"((u32)1 << l)",
		"(((u32)2 << l) - 1)",
		"(((u32)1 << l) - 1)",
		"~(((u32)1 << l) - 1)",
		"~(((u32)2 << l) - 1)",
		"B->launch->dynamic_shared_bytes",
		"(u32)(B->launch->dynamic_shared_bytes + B->launch->kernel->shared_bytes)",
	};

	if (operand->value < (int64_t)ARRAY_COUNT(values))
		return values[operand->value];
	if (operand->symbol &&
	    (strncmp(operand->symbol, "%clock", 6) == 0 || strncmp(operand->symbol, "%globaltimer", 12) == 0) &&
	    !strstr(operand->symbol, "hi"))
		return "cpu_clock()";
	cpu_refuse(t, insn, "a special register has a value that only a GPU knows");
	return "0";
}

const char *cpu_value(struct cpu_translation *t, const struct ptx_insn *insn, const struct ptx_operand *operand)
{
	switch (operand->kind) {
	case OPERAND_REGISTER:
		if (t->function->constant[operand->reg] && t->function->ptx->registers[operand->reg].type == PTX_pred)
			return (t->function->constant[operand->reg]->value != 0) != operand->negated ? "1" : "0";
		if (t->function->constant[operand->reg] && !operand->negated)
			return cpu_value(t, insn, t->function->constant[operand->reg]);
		return arena_printf(t->arena, "%sr%u", operand->negated ? "!" : "", operand->reg);
	case OPERAND_IMMEDIATE:
		return arena_printf(t->arena, "0x%llxull", (unsigned long long)operand->value);
	case OPERAND_SPECIAL:
		return special_value(t, insn, operand);
	case OPERAND_SYMBOL:
		return arena_printf(t->arena, "(%s + %lldll)", symbol_address(t, insn, operand->symbol),
		                    (long long)operand->value);
	default:
		cpu_refuse(t, insn, "an operand has a form that is not translated");
		return "0";
	}
}

const char *cpu_source(struct cpu_translation *t, const struct ptx_insn *insn, unsigned index)
{
	unsigned at = insn->destinations + index;

	if (at >= insn->operand_count) {
		cpu_refuse(t, insn, "it has too few operands");
		return "0";
	}
	return cpu_value(t, insn, &insn->operands[at]);
}

const char *cpu_address(struct cpu_translation *t, const struct ptx_insn *insn, const struct ptx_operand *operand,
                        enum ptx_space space)
{
	const char *symbol = operand->symbol ? symbol_address(t, insn, operand->symbol) : NULL, *sum;
	const char *reg = operand->kind == OPERAND_ADDRESS && operand->reg != PTX_NO_REGISTER
	                          ? arena_printf(t->arena, "r%u", operand->reg)
	                          : NULL;

	if (operand->kind != OPERAND_ADDRESS)
		cpu_refuse(t, insn, "an address has a form that is not translated");
	sum = symbol && reg ? arena_printf(t->arena, "%s + %s", symbol, reg) : symbol ? symbol : reg ? reg : "(u64)0";
	if (operand->value)
		sum = arena_printf(t->arena, "%s + %lldll", sum, (long long)operand->value);
	if (space == SPACE_SHARED)
		return arena_printf(t->arena, "(SH + (u32)(%s))", sum);
	return arena_printf(t->arena, "((unsigned char *)(u64)(%s))", sum);
}

void cpu_assign(struct cpu_translation *t, const struct ptx_operand *to, const char *expression)
{
	if (to->kind == OPERAND_REGISTER)
		text_printf(t->out, "r%u = %s; ", to->reg, expression);
}
