/*
 * Operands of the instructions that are run: registers by their number in the slice, everything else as a constant
 * value. Kernel parameters are known numbers here; addresses of variables are fixed ones of our own.
 */
#include "model/execute/plan/plan.h"

#include <string.h>

static bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Names of one module are interned: most are found by their pointers. */
static const struct ptx_variable *find_variable(const struct ptx_variable *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].name == name)
			return &list[i];
	for (size_t i = 0; i < count; i++)
		if (same_name(list[i].name, name))
			return &list[i];
	return NULL;
}

static const struct ptx_variable *kernel_parameter(const struct ptx_function *function, const char *name)
{
	return function->is_kernel ? find_variable(function->parameters, function->parameter_count, name) : NULL;
}

/* Access to a .param variable of a call sequence, or of a function that is not a kernel. */
static const struct ptx_operand *call_parameter(const struct planner *planner, const struct ptx_insn *insn)
{
	if (insn->space != SPACE_PARAM || (insn->operation != OP_ld && insn->operation != OP_st))
		return NULL;
	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct ptx_operand *operand = &insn->operands[i];

		if (operand->kind == OPERAND_ADDRESS && operand->symbol &&
		    !kernel_parameter(planner->function, operand->symbol))
			return operand;
	}
	return NULL;
}

#define MOST_PARAMETERS 1024

void plan_parameters(struct planner *planner)
{
	struct plan *plan = planner->plan;

	for (size_t i = 0; i < planner->function->insn_count; i++) {
		const struct ptx_insn *insn = &planner->function->insns[i];
		const struct ptx_operand *operand = call_parameter(planner, insn);
		unsigned width = ptx_type_bytes((enum ptx_type)insn->type);

		for (unsigned j = 0; operand && j < (insn->vector ? insn->vector : 1u); j++) {
			struct parameter_slot slot = {operand->symbol, operand->value + (int64_t)j * width,
			                              plan->register_count};

			if (plan->parameter_count == MOST_PARAMETERS ||
			    plan_parameter(plan, slot.symbol, slot.offset) != NO_INDEX)
				continue;
			plan->register_count++;
			ARENA_PUSH(planner->arena, plan->parameters, plan->parameter_count, slot);
		}
	}
}

static uint64_t variable_address(const struct ptx_module *module, const struct ptx_function *function,
                                 const char *symbol, unsigned buffer_count, bool *found)
{
	const struct ptx_variable *variable = find_variable(function->locals, function->local_count, symbol);
	uint64_t align;

	if (!variable)
		variable = find_variable(function->parameters, function->parameter_count, symbol);
	if (!variable)
		variable = find_variable(module->variables, module->variable_count, symbol);
	*found = variable != NULL;
	if (!variable)
		return 0;
	align = variable->align_bytes ? variable->align_bytes : 1;
	switch (variable->space) {
	case SPACE_SHARED:
		return variable->count ? variable->offset : (function->shared_bytes + align - 1) / align * align;
	case SPACE_PARAM:
		return PARAMETER_WINDOW + variable->offset;
	case SPACE_LOCAL:
		return variable->offset;
	default:
		return content_address(buffer_count) + ((uint64_t)(variable - module->variables) << 32);
	}
}

static struct warp_value *new_constant(const struct planner *planner, unsigned bits, uint64_t number)
{
	struct warp_value *value = arena_alloc(planner->arena, sizeof(*value));

	value_set(value, bits, number);
	if (bits == 1)
		value_set_predicate(value, (uint32_t)number, 0, KNOWN, NO_INDEX);
	return value;
}

static struct step_source constant_source(const struct planner *planner, unsigned bits, uint64_t number)
{
	return (struct step_source){
		.kind = SOURCE_CONSTANT, .reg = NO_INDEX, .constant = new_constant(planner, bits, number)};
}

static struct step_source unknown_source(const struct planner *planner, unsigned bits, enum value_doubt doubt,
                                         uint32_t origin)
{
	struct warp_value *value = new_constant(planner, bits, 0);

	value_set_unknown(value, bits, doubt, origin);
	value->shift = UINT32_MAX - origin;
	if (bits == 1)
		value_set_predicate(value, 0, ALL_LANES, doubt, origin);
	return (struct step_source){.kind = SOURCE_CONSTANT, .reg = NO_INDEX, .constant = value};
}

static struct step_source register_source(uint32_t reg)
{
	return (struct step_source){.kind = SOURCE_REGISTER, .reg = reg};
}

/* One element loaded from a kernel parameter. */
static struct step_source argument_source(const struct planner *planner, const struct step *step,
                                          const struct ptx_variable *parameter, uint64_t offset, unsigned bits)
{
	enum ptx_type type = (enum ptx_type)step->insn->type;
	unsigned width = ptx_type_bytes(type), raw_bits = plan_type_bits(type);
	uint64_t number = 0;

	if (!plan_argument(planner->plans->input, (size_t)(parameter - planner->function->parameters), offset, width,
	                   &number))
		return unknown_source(planner, bits, SHIFTED, step->index);
	if (ptx_type_is_signed(type))
		number = (uint64_t)value_signed(number, raw_bits);
	return constant_source(planner, bits, number);
}

static struct step_source symbol_source(const struct planner *planner, const struct ptx_operand *operand, unsigned bits,
                                        uint32_t index)
{
	bool found;
	uint64_t address = variable_address(planner->plans->input->module, planner->function, operand->symbol,
	                                    planner->plans->input->buffer_count, &found);

	if (!found)
		return unknown_source(planner, bits, SHIFTED, index);
	return constant_source(planner, bits, address + (uint64_t)operand->value);
}

/* bits: the width that the operation reads it in. */
static struct step_source operand_source(const struct planner *planner, const struct ptx_operand *operand,
                                         unsigned bits, uint32_t index)
{
	struct step_source source;

	switch (operand->kind) {
	case OPERAND_REGISTER:
		if (operand->reg >= planner->function->register_count || planner->number[operand->reg] == NO_INDEX)
			return unknown_source(planner, bits, UNKNOWN, index);
		source = register_source(planner->number[operand->reg]);
		source.negated = operand->negated;
		return source;
	case OPERAND_IMMEDIATE:
		return constant_source(planner, bits,
		                       bits == 1 && operand->value ? ALL_LANES : (uint64_t)operand->value);
	case OPERAND_SPECIAL:
		return (struct step_source){.kind = SOURCE_SPECIAL, .reg = (uint32_t)operand->value};
	case OPERAND_SYMBOL:
		return symbol_source(planner, operand, bits, index);
	default:
		return unknown_source(planner, bits, UNKNOWN, index);
	}
}

static unsigned elements_in(const struct ptx_insn *insn, unsigned first, unsigned last)
{
	unsigned count = 0;

	for (unsigned i = first; i < last; i++)
		count += insn->operands[i].kind == OPERAND_VECTOR ? insn->operands[i].count : 1u;
	return count;
}

static void add_target(const struct planner *planner, struct step *step, const struct ptx_operand *operand)
{
	bool known = operand->kind == OPERAND_REGISTER && operand->reg < planner->function->register_count;

	step->targets[step->target_count++] = known ? planner->number[operand->reg] : NO_INDEX;
}

static void add_targets(const struct planner *planner, struct step *step)
{
	const struct ptx_insn *insn = step->insn;
	unsigned last = insn->destinations < insn->operand_count ? insn->destinations : insn->operand_count;
	unsigned count = elements_in(insn, 0, last);

	if (count > UINT8_MAX)
		return;
	step->targets = arena_array(planner->arena, count + 1, sizeof(uint32_t));
	for (unsigned i = 0; i < last; i++) {
		const struct ptx_operand *operand = &insn->operands[i];

		if (operand->kind != OPERAND_VECTOR)
			add_target(planner, step, operand);
		for (unsigned j = 0; operand->kind == OPERAND_VECTOR && j < operand->count; j++)
			add_target(planner, step, &operand->elements[j]);
	}
}

static void add_source(struct step *step, struct step_source source)
{
	step->sources[step->source_count++] = source;
}

static void add_sized_source(struct step *step, struct step_source source, unsigned bits)
{
	source.bits = (uint8_t)bits;
	add_source(step, source);
}

static void reserve_sources(const struct planner *planner, struct step *step, unsigned count)
{
	step->sources = arena_array(planner->arena, count + 1, sizeof(struct step_source));
}

static void add_plain_sources(const struct planner *planner, struct step *step, unsigned first)
{
	const struct ptx_insn *insn = step->insn;
	unsigned last = insn->operation == OP_brx_idx && first < insn->operand_count ? first + 1u : insn->operand_count;
	unsigned count = elements_in(insn, first, last);

	if (count > UINT8_MAX)
		return;
	reserve_sources(planner, step, count);
	for (unsigned i = first; i < last; i++) {
		const struct ptx_operand *operand = &insn->operands[i];
		unsigned bits = plan_source_bits(insn, i - first);
		unsigned piece =
			operand->kind == OPERAND_VECTOR && bits / operand->count >= 8 ? bits / operand->count : 64;

		if (operand->kind != OPERAND_VECTOR)
			add_sized_source(step, operand_source(planner, operand, bits, step->index), bits);
		for (unsigned j = 0; operand->kind == OPERAND_VECTOR && j < operand->count; j++)
			add_sized_source(step, operand_source(planner, &operand->elements[j], piece, step->index),
			                 piece);
	}
}

/* [register + offset] or [symbol + offset]: the register, with the offset beside it, or the whole address; of both, the
 * register, with all else beside it. */
static void add_address(const struct planner *planner, struct step *step, const struct ptx_operand *operand)
{
	bool found;

	if (operand->reg != PTX_NO_REGISTER) {
		struct ptx_operand reg = {.kind = OPERAND_REGISTER, .reg = operand->reg};

		add_source(step, operand_source(planner, &reg, 64, step->index));
	} else if (operand->symbol) {
		struct ptx_operand symbol = {.kind = OPERAND_SYMBOL, .symbol = operand->symbol};

		add_source(step, symbol_source(planner, &symbol, 64, step->index));
	} else {
		add_source(step, constant_source(planner, 64, 0));
	}
	if (step->source_count == 1)
		step->offset = operand->value;
	if (step->source_count == 1 && operand->reg != PTX_NO_REGISTER && operand->symbol)
		step->offset += (int64_t)variable_address(planner->plans->input->module, planner->function,
		                                          operand->symbol, planner->plans->input->buffer_count, &found);
}

static void find_home(const struct planner *planner, struct step *step, const struct ptx_operand *address)
{
	bool found;

	step->home = plan_home(planner, address);
	if (step->home)
		step->home_address = variable_address(planner->plans->input->module, planner->function,
		                                      step->home->name, planner->plans->input->buffer_count, &found);
}

/* What a store puts into memory, element by element. */
static void add_stored(const struct planner *planner, struct step *step)
{
	const struct ptx_operand *data = step->insn->operand_count > 1 ? &step->insn->operands[1] : NULL;
	unsigned count = !data ? 0 : data->kind == OPERAND_VECTOR ? data->count : 1u;

	step->stored = arena_array(planner->arena, count + 1, sizeof(struct step_source));
	for (unsigned i = 0; i < count && i < UINT8_MAX; i++)
		step->stored[step->stored_count++] = operand_source(
			planner, data->kind == OPERAND_VECTOR ? &data->elements[i] : data, step->bits, step->index);
}

static void memory_operands(const struct planner *planner, struct step *step)
{
	step->is_memory = true;
	reserve_sources(planner, step, step->insn->operand_count);
	for (unsigned i = 0; i < step->insn->operand_count; i++)
		if (step->insn->operands[i].kind == OPERAND_ADDRESS) {
			add_address(planner, step, &step->insn->operands[i]);
			if (step->source_count == 1 && (step->is_counted || step->is_numbered))
				find_home(planner, step, &step->insn->operands[i]);
			if (step->source_count == 1 && step->is_counted && planner->plans->input->supposes)
				plan_numbers(planner, &step->insn->operands[i], step);
		}
	if (step->source_count == 0)
		add_source(step, unknown_source(planner, 64, UNKNOWN, step->index));
	add_targets(planner, step);
	if (planner->plan->keeps_local && plan_is_local(step->insn) && step->insn->operation == OP_st)
		add_stored(planner, step);
}

/* ld.param of a kernel: one constant for each element. */
static void kernel_parameter_load(const struct planner *planner, struct step *step, const struct ptx_operand *address)
{
	const struct ptx_variable *parameter = kernel_parameter(planner->function, address->symbol);
	unsigned width = ptx_type_bytes((enum ptx_type)step->insn->type);

	add_targets(planner, step);
	reserve_sources(planner, step, step->target_count);
	for (unsigned i = 0; i < step->target_count; i++) {
		unsigned bits = step->targets[i] == NO_INDEX ? 64 : planner->plan->bits[step->targets[i]];

		add_source(step, argument_source(planner, step, parameter,
		                                 (uint64_t)address->value + (uint64_t)i * width, bits));
	}
}

/* One element loaded from a variable of constant memory of which it is known what the host puts there. */
static bool constant_source_at(const struct planner *planner, const struct step *step,
                               const struct ptx_variable *variable, uint64_t offset, unsigned bits,
                               struct step_source *source)
{
	enum ptx_type type = (enum ptx_type)step->insn->type;
	uint64_t number;

	if (!plan_constant(planner->plans->input, variable, offset, ptx_type_bytes(type), &number))
		return false;
	if (ptx_type_is_signed(type))
		number = (uint64_t)value_signed(number, plan_type_bits(type));
	*source = constant_source(planner, bits, number);
	return true;
}

/* ld.const of such a variable at an address that the text says; false where it is none. */
static bool constant_load(const struct planner *planner, struct step *step)
{
	const struct ptx_insn *insn = step->insn;
	const struct ptx_operand *address = insn->operand_count > 1 ? &insn->operands[1] : NULL;
	const struct ptx_variable *variable;
	unsigned width = ptx_type_bytes((enum ptx_type)insn->type);
	struct step_source sources[8];

	if (insn->operation != OP_ld || !address || address->kind != OPERAND_ADDRESS || !address->symbol ||
	    address->reg != PTX_NO_REGISTER)
		return false;
	variable = ptx_variable_find(planner->plan->module, NULL, address->symbol);
	if (!variable)
		return false;
	add_targets(planner, step);
	for (unsigned i = 0; i < step->target_count; i++) {
		unsigned bits = step->targets[i] == NO_INDEX ? 64 : planner->plan->bits[step->targets[i]];

		if (i == ARRAY_COUNT(sources) ||
		    !constant_source_at(planner, step, variable, (uint64_t)address->value + (uint64_t)i * width, bits,
		                        &sources[i])) {
			step->target_count = 0;
			return false;
		}
	}
	reserve_sources(planner, step, step->target_count);
	for (unsigned i = 0; i < step->target_count; i++)
		add_source(step, sources[i]);
	return true;
}

/* ld.param and st.param of a call sequence: moves from and to the registers that stand for the bytes. */
static void call_parameter_access(const struct planner *planner, struct step *step, const struct ptx_operand *address)
{
	unsigned width = ptx_type_bytes((enum ptx_type)step->insn->type), count;

	if (step->insn->operation == OP_ld) {
		add_targets(planner, step);
		count = step->target_count;
		reserve_sources(planner, step, count);
		for (unsigned i = 0; i < count; i++)
			add_source(step, register_source(plan_parameter(planner->plan, address->symbol,
			                                                address->value + (int64_t)i * width)));
	} else {
		add_plain_sources(planner, step, 1);
		count = step->source_count;
		step->targets = arena_array(planner->arena, count + 1, sizeof(uint32_t));
		for (unsigned i = 0; i < count; i++)
			step->targets[step->target_count++] =
				plan_parameter(planner->plan, address->symbol, address->value + (int64_t)i * width);
	}
	for (unsigned i = 0; i < step->source_count; i++)
		if (step->sources[i].kind == SOURCE_REGISTER && step->sources[i].reg == NO_INDEX)
			step->sources[i] = unknown_source(planner, 64, UNKNOWN, step->index);
}

static void parameter_operands(const struct planner *planner, struct step *step)
{
	const struct ptx_operand *address = NULL;

	for (unsigned i = 0; i < step->insn->operand_count; i++)
		if (step->insn->operands[i].kind == OPERAND_ADDRESS)
			address = &step->insn->operands[i];
	if (address && address->symbol && address->reg == PTX_NO_REGISTER &&
	    kernel_parameter(planner->function, address->symbol) && step->insn->operation == OP_ld)
		kernel_parameter_load(planner, step, address);
	else if (address && call_parameter(planner, step->insn))
		call_parameter_access(planner, step, address);
	else
		memory_operands(planner, step);
}

static bool names_symbol(const struct ptx_insn *insn, unsigned first, unsigned last, const char *symbol)
{
	for (unsigned i = first; i < last; i++)
		if (insn->operands[i].kind == OPERAND_SYMBOL && same_name(insn->operands[i].symbol, symbol))
			return true;
	return false;
}

const struct ptx_function *plan_called(const struct planner *planner, const struct ptx_insn *insn)
{
	const struct ptx_function *function = NULL;

	if (insn->destinations < insn->operand_count && insn->operands[insn->destinations].kind == OPERAND_SYMBOL)
		function = ptx_module_find(planner->plan->module, insn->operands[insn->destinations].symbol);
	return function && function->has_body ? function : NULL;
}

/* A call reads the bytes of its arguments and writes those of its results. */
static void call_operands(const struct planner *planner, struct step *step)
{
	const struct plan *plan = planner->plan;
	const struct ptx_insn *insn = step->insn;
	unsigned callee = insn->destinations;

	if (plan->parameter_count > UINT8_MAX)
		return;
	reserve_sources(planner, step, (unsigned)plan->parameter_count);
	step->targets = arena_array(planner->arena, plan->parameter_count + 1, sizeof(uint32_t));
	for (size_t i = 0; i < plan->parameter_count; i++) {
		const struct parameter_slot *slot = &plan->parameters[i];

		if (names_symbol(insn, callee + 1, insn->operand_count, slot->symbol))
			add_source(step, register_source(slot->reg));
		if (names_symbol(insn, 0, callee, slot->symbol))
			step->targets[step->target_count++] = slot->reg;
	}
}

void plan_operands(struct planner *planner, struct step *step)
{
	const struct ptx_insn *insn = step->insn;

	if (ptx_insn_flags(insn) & FLAG_CALL) {
		call_operands(planner, step);
	} else if (insn->space == SPACE_PARAM && (insn->operation == OP_ld || insn->operation == OP_st)) {
		parameter_operands(planner, step);
	} else if (insn->space == SPACE_CONST && constant_load(planner, step)) {
		return;
	} else if (plan_is_memory(insn) || (ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_STORE))) {
		memory_operands(planner, step);
	} else {
		add_targets(planner, step);
		add_plain_sources(planner, step,
		                  insn->destinations < insn->operand_count ? insn->destinations : insn->operand_count);
	}
}
