/*
 * What is asked of a plan while it is run.
 */
#include "model/execute/plan/plan.h"

#include <math.h>
#include <string.h>

uint32_t plan_parameter(const struct plan *plan, const char *symbol, int64_t offset)
{
	for (size_t i = 0; i < plan->parameter_count; i++)
		if (plan->parameters[i].offset == offset &&
		    (plan->parameters[i].symbol == symbol || !strcmp(plan->parameters[i].symbol, symbol)))
			return plan->parameters[i].reg;
	return NO_INDEX;
}

uint32_t plan_indexed_target(const struct plan *plan, const struct plan_block *block, uint64_t index)
{
	const struct ptx_insn *insn = block->branch->insn;

	for (unsigned i = 0; i < insn->operand_count; i++) {
		const struct ptx_operand *list = &insn->operands[i];

		if (list->kind != OPERAND_VECTOR || index >= list->count || list->elements[index].kind != OPERAND_LABEL)
			continue;
		for (uint32_t target = 0; target < plan->block_count; target++)
			if (plan->function->cfg->blocks[target].first == (uint64_t)list->elements[index].value)
				return target;
	}
	return PTX_NO_BASIC_BLOCK;
}

bool plan_in_loop(const struct plan *plan, uint32_t block, uint32_t loop)
{
	const struct ptx_loop *loops = plan->function->cfg->loops;
	uint32_t inner;

	if (block == PTX_NO_BASIC_BLOCK)
		return false;
	for (inner = plan->blocks[block].loop; inner != PTX_NO_LOOP; inner = loops[inner].parent)
		if (inner == loop)
			return true;
	return false;
}

uint32_t plan_decided_loop(const struct plan *plan, const struct plan_block *block)
{
	const struct ptx_loop *loops = plan->function->cfg->loops;

	for (uint32_t loop = block->loop; loop != PTX_NO_LOOP; loop = loops[loop].parent)
		if (plan_in_loop(plan, block->fall, loop) != plan_in_loop(plan, block->target, loop))
			return loop;
	return PTX_NO_LOOP;
}

struct loop_range plan_loop_range(const struct evaluate_input *input, const struct plan *plan, uint32_t loop)
{
	if (input->loop_ranges && plan->function == input->function && input->loop_ranges[loop].most > 0)
		return input->loop_ranges[loop];
	return (struct loop_range){.trips = input->unknown_trips > 0 ? input->unknown_trips : WARP_TRIPS};
}

double plan_unknown_trips(const struct evaluate_input *input, const struct plan *plan, uint32_t loop)
{
	const struct ptx_loop *loops = plan->function->cfg->loops;
	struct loop_range range = plan_loop_range(input, plan, loop);
	double trips = round(range.trips / fmax(1, range.unroll));
	uint32_t unrolled = loops[loop].remainder_of;

	trips = unrolled == PTX_NO_LOOP ? floor(trips / loops[loop].unroll_factor)
	                                : fmod(trips, loops[unrolled].unroll_factor);
	return fmax(1, trips);
}

bool plan_argument(const struct evaluate_input *input, size_t index, uint64_t offset, unsigned bytes, uint64_t *number)
{
	const struct ptx_variable *parameter = &input->function->parameters[index];
	const struct argument *argument = input->arguments ? &input->arguments[index] : NULL;
	uint64_t size = parameter->count * ptx_type_bytes((enum ptx_type)parameter->type), scalar;

	*number = 0;
	if (!argument || argument->kind == ARGUMENT_UNKNOWN || bytes > sizeof(*number) || offset > size ||
	    bytes > size - offset)
		return false;
	scalar = (uint64_t)argument->value +
	         (argument->kind == ARGUMENT_POINTER ? content_address(argument->buffer) : 0);
	for (unsigned i = 0; i < bytes; i++) {
		uint64_t at = offset + i;

		if (argument->kind == ARGUMENT_BYTES && argument->known && !argument->known[at])
			return false;
		if (argument->kind == ARGUMENT_BYTES)
			*number |= (uint64_t)argument->bytes[at] << (8 * i);
		else if (at < sizeof(scalar))
			*number |= (scalar >> (8 * at) & UINT8_MAX) << (8 * i);
	}
	return true;
}

bool plan_argument_at(const struct evaluate_input *input, uint64_t offset, unsigned bytes, uint64_t *number)
{
	const struct ptx_function *function = input->function;

	for (size_t i = 0; i < function->parameter_count; i++) {
		const struct ptx_variable *parameter = &function->parameters[i];

		if (offset >= parameter->offset &&
		    offset - parameter->offset < parameter->count * ptx_type_bytes((enum ptx_type)parameter->type))
			return plan_argument(input, i, offset - parameter->offset, bytes, number);
	}
	return false;
}

struct guard_share plan_share(const struct evaluate_input *input, const struct plan *plan, const struct step *step)
{
	bool branches = step->insn->operation == OP_bra;

	if (input->shares && plan->function == input->function)
		return input->shares[step->index];
	return (struct guard_share){.condition = input->branch_probability,
	                            .inverted = step->insn->guard_negated && !branches};
}

enum guard_doubt plan_guard_doubt(const struct evaluate_input *input, const struct plan *plan, const struct step *step)
{
	return input->guard_doubts && plan->function == input->function ? input->guard_doubts[step->index] : GUARD_FREE;
}

/* What a launch has in a variable; NULL where the module says it. */
static const struct ptx_content *launch_content(const struct evaluate_input *input, const struct ptx_variable *variable)
{
	for (unsigned c = 0; c < input->constant_count; c++)
		if (ptx_symbol_names(variable->name, input->constants[c].name))
			return &input->constants[c];
	return NULL;
}

bool plan_constant(const struct evaluate_input *input, const struct ptx_variable *variable, uint64_t offset,
                   unsigned bytes, uint64_t *number)
{
	const struct ptx_content *content = launch_content(input, variable);

	*number = 0;
	for (uint64_t i = offset; i < offset + bytes; i++) {
		bool launched = content && i < content->size && content->known[i];
		bool initial = variable->initial_known && i < variable->initial_bytes && variable->initial_known[i];

		if (bytes > sizeof(*number) || (!launched && !initial))
			return false;
		*number |= (uint64_t)(launched ? content->bytes[i] : variable->initial[i]) << (8 * (i - offset));
	}
	return bytes > 0;
}
