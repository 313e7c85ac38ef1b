/*
 * Whether two launches execute the same code on the same arguments: what is evaluated, or simulated, of one holds for
 * the other. Layouts often come to the same (records of two words, aligned or not; kernels that touch one member), and
 * so do kernels that differ in their names alone.
 *
 * Places in the source are not compared, nor are names: symbols are the same where they stand for parameters or
 * variables of the same position.
 */
#include "base/lookup/lookup.h"
#include "model/code/code.h"
#include "ptxparse/sass/sass.h"

#include <string.h>

static bool variables_same(const struct ptx_variable *a, const struct ptx_variable *b)
{
	return a->type == b->type && a->space == b->space && a->align_bytes == b->align_bytes && a->count == b->count &&
	       a->offset == b->offset && a->initial_bytes == b->initial_bytes && a->is_extern == b->is_extern &&
	       (!a->initial_bytes || memcmp(a->initial, b->initial, a->initial_bytes) == 0);
}

static bool variable_lists_same(const struct ptx_variable *a, size_t count_a, const struct ptx_variable *b,
                                size_t count_b)
{
	if (count_a != count_b)
		return false;
	for (size_t i = 0; i < count_a; i++)
		if (!variables_same(&a[i], &b[i]))
			return false;
	return true;
}

static size_t variable_place(const struct ptx_variable *list, size_t count, const char *symbol)
{
	size_t i = 0;
	while (i < count && strcmp(list[i].name, symbol) != 0)
		i++;
	return i;
}

/* Variables of a module are the same only as themselves. */
static bool symbols_same(const struct ptx_function *a, const char *symbol_a, const struct ptx_function *b,
                         const char *symbol_b)
{
	if (!symbol_a || !symbol_b)
		return symbol_a == symbol_b;
	size_t parameter = variable_place(a->parameters, a->parameter_count, symbol_a),
	       local = variable_place(a->locals, a->local_count, symbol_a);
	if (parameter < a->parameter_count)
		return variable_place(b->parameters, b->parameter_count, symbol_b) == parameter;
	if (local < a->local_count)
		return variable_place(b->locals, b->local_count, symbol_b) == local;
	return strcmp(symbol_a, symbol_b) == 0;
}

static bool operands_are_own(const struct ptx_function *function, const struct ptx_operand *operands, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const char *symbol = operands[i].kind == OPERAND_LABEL ? NULL : operands[i].symbol;
		if (symbol &&
		    variable_place(function->parameters, function->parameter_count, symbol) ==
		            function->parameter_count &&
		    variable_place(function->locals, function->local_count, symbol) == function->local_count)
			return false;
		if (operands[i].kind == OPERAND_VECTOR &&
		    !operands_are_own(function, operands[i].elements, operands[i].count))
			return false;
	}
	return true;
}

/* Whether a function names nothing of its module: it is the same in another one. */
static bool is_self_contained(const struct ptx_function *function)
{
	for (size_t i = 0; i < function->insn_count; i++)
		if (!operands_are_own(function, function->insns[i].operands, function->insns[i].operand_count))
			return false;
	return true;
}

static bool operands_same(const struct ptx_function *a, const struct ptx_operand *left, const struct ptx_function *b,
                          const struct ptx_operand *right, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		const struct ptx_operand *one = &left[i], *other = &right[i];
		if (one->kind != other->kind || one->negated != other->negated || one->count != other->count ||
		    one->reg != other->reg ||
		    (one->kind != OPERAND_LABEL && !symbols_same(a, one->symbol, b, other->symbol)))
			return false;
		if (one->kind != OPERAND_VECTOR && one->value != other->value)
			return false;
		for (unsigned e = 0; one->kind == OPERAND_VECTOR && e < one->count; e++)
			if (!operands_same(a, &one->elements[e], b, &other->elements[e], 1))
				return false;
	}
	return true;
}

static bool insns_same(const struct ptx_function *a, const struct ptx_insn *one, const struct ptx_function *b,
                       const struct ptx_insn *other)
{
	return one->operation == other->operation && one->type == other->type &&
	       one->source_type == other->source_type && one->space == other->space && one->compare == other->compare &&
	       one->mode == other->mode && one->vector == other->vector && one->operand_count == other->operand_count &&
	       one->destinations == other->destinations && one->guarded == other->guarded &&
	       one->guard_negated == other->guard_negated && one->uniform == other->uniform &&
	       one->volatile_access == other->volatile_access && one->atomic == other->atomic &&
	       one->boolean == other->boolean && one->guard == other->guard && one->cache == other->cache &&
	       one->noncoherent == other->noncoherent && one->unordered == other->unordered &&
	       one->carry == other->carry && one->saturate == other->saturate && one->no_return == other->no_return &&
	       one->synthetic == other->synthetic && strcmp(one->spelling, other->spelling) == 0 &&
	       operands_same(a, one->operands, b, other->operands, one->operand_count);
}

/* The blocks' places of meeting are the code's own, and do not follow from its instructions. */
static bool blocks_same(const struct ptx_cfg *a, const struct ptx_cfg *b)
{
	if (a->block_count != b->block_count)
		return false;
	for (uint32_t i = 0; i < a->block_count; i++)
		if (a->blocks[i].first != b->blocks[i].first || a->blocks[i].count != b->blocks[i].count ||
		    a->blocks[i].post_dominator != b->blocks[i].post_dominator)
			return false;
	return true;
}

/* Whether two functions have the same instructions, in the same blocks, of the same variables. */
static bool bodies_same(const struct ptx_function *a, const struct ptx_function *b)
{
	if (a == b)
		return true;
	if (a->insn_count != b->insn_count || a->register_count != b->register_count ||
	    a->shared_bytes != b->shared_bytes || a->local_bytes != b->local_bytes ||
	    !variable_lists_same(a->parameters, a->parameter_count, b->parameters, b->parameter_count) ||
	    !variable_lists_same(a->locals, a->local_count, b->locals, b->local_count) || !blocks_same(a->cfg, b->cfg))
		return false;
	for (size_t i = 0; i < a->register_count; i++)
		if (a->registers[i].type != b->registers[i].type)
			return false;
	for (size_t i = 0; i < a->insn_count; i++)
		if (!insns_same(a, &a->insns[i], b, &b->insns[i]))
			return false;
	return true;
}

/* The functions that machine code calls and that are no part of it. */
static bool calls_same(const struct sass_code *a, const struct sass_code *b)
{
	if (a->call_count != b->call_count)
		return false;
	for (size_t i = 0; i < a->call_count; i++)
		if (a->calls[i].insn != b->calls[i].insn || a->calls[i].is_unfollowed != b->calls[i].is_unfollowed ||
		    !a->calls[i].name != !b->calls[i].name ||
		    (a->calls[i].name && strcmp(a->calls[i].name, b->calls[i].name) != 0))
			return false;
	return true;
}

/* What machine code has beside its instructions: registers that are set aside, and how it is scheduled. */
static bool schedules_same(const struct ptx_function *a, const struct ptx_function *b)
{
	return a->insn_count == b->insn_count && a->sass->register_count == b->sass->register_count &&
	       a->sass->cold_insn == b->sass->cold_insn && calls_same(a->sass, b->sass) &&
	       memcmp(a->sass->control, b->sass->control, a->insn_count * sizeof *a->sass->control) == 0;
}

static bool contents_same(const struct content *a, const struct content *b)
{
	for (; a && b; a = a->next, b = b->next) {
		bool values =
			a->values == b->values || (a->values && b->values && a->count == b->count &&
		                                   memcmp(a->values, b->values, a->count * sizeof *a->values) == 0);
		if (a->kind != b->kind || a->step != b->step || a->low != b->low || a->high != b->high || !values ||
		    a->count != b->count || a->seed != b->seed || a->element_bytes != b->element_bytes ||
		    a->stride_bytes != b->stride_bytes || a->offset_bytes != b->offset_bytes || a->tile != b->tile ||
		    a->tile_bytes != b->tile_bytes)
			return false;
	}
	return a == b;
}

static bool arguments_same(const struct argument *a, const struct argument *b, uint64_t bytes)
{
	if (a->kind != b->kind || a->value != b->value || a->buffer != b->buffer || !a->bytes != !b->bytes ||
	    !a->known != !b->known)
		return false;
	return (!a->bytes || memcmp(a->bytes, b->bytes, bytes) == 0) &&
	       (!a->known || memcmp(a->known, b->known, bytes * sizeof *a->known) == 0);
}

static bool shares_same(const struct evaluate_input *a, const struct evaluate_input *b)
{
	if (!a->shares || !b->shares)
		return !a->shares && !b->shares;
	for (size_t i = 0; i < a->function->insn_count && i < b->function->insn_count; i++)
		if (a->shares[i].condition != b->shares[i].condition ||
		    a->shares[i].inverted != b->shares[i].inverted || a->shares[i].told != b->shares[i].told)
			return false;
	return a->function->insn_count == b->function->insn_count;
}

/* Constants of one kernel stand in one order. */
static bool constants_same(const struct evaluate_input *a, const struct evaluate_input *b)
{
	for (unsigned i = 0; i < a->constant_count && i < b->constant_count; i++) {
		const struct ptx_content *one = &a->constants[i], *other = &b->constants[i];
		if (strcmp(one->name, other->name) != 0 || one->size != other->size ||
		    memcmp(one->bytes, other->bytes, one->size) != 0 ||
		    memcmp(one->known, other->known, one->size * sizeof *one->known) != 0)
			return false;
	}
	return a->constant_count == b->constant_count;
}

static bool ranges_same(const struct evaluate_input *a, const struct evaluate_input *b)
{
	uint32_t count = a->function->cfg->loop_count;
	if (count != b->function->cfg->loop_count)
		return false;
	for (uint32_t l = 0; l < count; l++) {
		const struct loop_range none = {0}, *one = a->loop_ranges ? &a->loop_ranges[l] : &none,
					*other = b->loop_ranges ? &b->loop_ranges[l] : &none;
		if (one->trips != other->trips || one->most != other->most || one->unroll != other->unroll)
			return false;
	}
	return true;
}

static bool inputs_same(const struct evaluate_input *a, const struct evaluate_input *b)
{
	if (memcmp(a->grid, b->grid, sizeof a->grid) != 0 || memcmp(a->block, b->block, sizeof a->block) != 0 ||
	    a->dynamic_shared_bytes != b->dynamic_shared_bytes || a->branch_probability != b->branch_probability ||
	    a->unknown_trips != b->unknown_trips || a->step_limit != b->step_limit ||
	    a->buffer_count != b->buffer_count || !constants_same(a, b) || !shares_same(a, b) || !ranges_same(a, b))
		return false;
	for (unsigned i = 0; i < a->buffer_count; i++)
		if (a->buffers[i].bytes != b->buffers[i].bytes ||
		    !contents_same(&a->buffers[i].content, &b->buffers[i].content))
			return false;
	for (size_t i = 0; i < a->function->parameter_count; i++) {
		const struct ptx_variable *parameter = &a->function->parameters[i];
		uint64_t bytes = parameter->count * ptx_type_bytes((enum ptx_type)parameter->type);
		if (!arguments_same(&a->arguments[i], &b->arguments[i], bytes))
			return false;
	}
	return true;
}

static bool starts_same(const struct launch_view *a, const struct launch_view *b)
{
	if (!a->start || !b->start)
		return a->start == b->start;
	return a->buffer_count == b->buffer_count && a->start->dirty_bytes == b->start->dirty_bytes &&
	       memcmp(a->start->reuse, b->start->reuse, a->buffer_count * sizeof *a->start->reuse) == 0;
}

bool code_same(const struct launch_view *a, const struct launch_view *b)
{
	const struct code_view *left = &a->machine_code, *right = &b->machine_code;
	if (!left->input || !right->input || !left->function->sass || !right->function->sass)
		return false;
	unsigned registers_a = a->resources ? a->resources->registers : 0,
		 registers_b = b->resources ? b->resources->registers : 0;
	return a->machine == b->machine && registers_a == registers_b && starts_same(a, b) &&
	       (left->module == right->module || is_self_contained(left->function)) &&
	       a->launch->kernel->shared_bytes == b->launch->kernel->shared_bytes &&
	       inputs_same(left->input, right->input) && schedules_same(left->function, right->function) &&
	       bodies_same(left->function, right->function);
}

static bool names_same(const struct evaluate_input *a, const struct evaluate_input *b)
{
	for (unsigned i = 0; i < a->buffer_count; i++) {
		const char *one = a->buffers[i].name, *other = b->buffers[i].name;
		if (!one || !other ? one != other : strcmp(one, other) != 0)
			return false;
	}
	return true;
}

/* Whether an assumption names a variable of the function, whose name is another one in the function that is the same.
 */
static bool names_local(const struct code_view *code)
{
	const struct ptx_function *function = code->function;
	for (unsigned i = 0; i < code->evaluation->assumption_count; i++)
		for (size_t l = 0; l < function->local_count; l++)
			if (strstr(code->evaluation->assumptions[i].text, function->locals[l].name))
				return true;
	return false;
}

bool code_evaluates_same(const struct code_view *evaluated, const struct code_view *code)
{
	const struct ptx_function *a = evaluated->function, *b = code->function;
	if (!a->sass != !b->sass ||
	    (a->sass && (a->sass->cold_insn != b->sass->cold_insn || !calls_same(a->sass, b->sass))))
		return false;
	return inputs_same(evaluated->input, code->input) && names_same(evaluated->input, code->input) &&
	       bodies_same(a, b) && (a == b || !evaluated->evaluation || !names_local(evaluated)) &&
	       (evaluated->module == code->module || is_self_contained(a));
}

static uint64_t insn_mix(uint64_t hash, const struct ptx_insn *insn)
{
	hash = lookup_mix(hash, (uint64_t)insn->operation << 16 | insn->type);
	for (unsigned i = 0; i < insn->operand_count; i++)
		if (insn->operands[i].kind != OPERAND_VECTOR)
			hash = lookup_mix(lookup_mix(hash, (uint64_t)insn->operands[i].value), insn->operands[i].reg);
	return hash;
}

uint64_t code_hash(const struct code_view *code)
{
	const struct ptx_function *function = code->function;
	const struct evaluate_input *input = code->input;
	uint64_t hash = lookup_mix(function->sass != NULL, function->insn_count);
	for (size_t i = 0; i < function->insn_count; i++)
		hash = insn_mix(hash, &function->insns[i]);
	for (unsigned axis = 0; axis < 3; axis++)
		hash = lookup_mix(hash, (uint64_t)input->grid[axis] << 32 | input->block[axis]);
	for (unsigned b = 0; b < input->buffer_count; b++)
		hash = lookup_mix(hash, input->buffers[b].bytes);
	for (size_t p = 0; p < function->parameter_count; p++)
		hash = lookup_mix(lookup_mix(hash, (uint64_t)input->arguments[p].value), input->arguments[p].buffer);
	return lookup_mix(hash, input->dynamic_shared_bytes);
}
