/*
 * A plan's steps as operations: what kind each is, with its operands found.
 *
 * An operation is done on packed registers where all its sources and its target have the width that it computes in. For
 * others the evaluator's own code does the conversions.
 */
#include "model/execute/trace/state.h"

/* Width of a source as it is kept. */
static unsigned kept_bits(const struct plan *plan, const struct step_source *source)
{
	return source->kind == SOURCE_REGISTER   ? plan->bits[source->reg]
	       : source->kind == SOURCE_CONSTANT ? source->constant->bits
	                                         : 32;
}

static struct act_source source_make(struct tracer *tracer, const struct step_source *source)
{
	struct act_source result = {.index = source->reg};
	uint32_t special = source->reg < SPECIAL_OTHER ? source->reg : SPECIAL_OTHER;
	struct packed *constant;

	if (source->kind == SOURCE_SPECIAL && special <= SPECIAL_TID_Z) {
		result.index = special - SPECIAL_TID_X;
		result.is_special = true;
	} else if (source->kind == SOURCE_SPECIAL && special >= SPECIAL_CTAID_X && special <= SPECIAL_CTAID_Z) {
		result.index = 3 + special - SPECIAL_CTAID_X;
		result.is_special = true;
	} else if (source->kind == SOURCE_SPECIAL && special == SPECIAL_WARPID) {
		result.index = OWN_SPECIALS - 1;
		result.is_special = true;
	} else if (source->kind == SOURCE_SPECIAL) {
		result.constant = &tracer->specials[special];
	} else if (source->kind == SOURCE_CONSTANT) {
		constant = arena_alloc(tracer->arena, sizeof(*constant));
		trace_packed_pack(tracer->arena, constant, source->constant);
		result.constant = constant;
	}
	return result;
}

/* Whether the step's first `count` sources are all at least, or where exact just, that wide, and no predicates. */
static bool sources_fit(const struct plan *plan, const struct step *step, unsigned count, unsigned bits, bool exact)
{
	if (step->source_count < count)
		return false;
	for (unsigned i = 0; i < count; i++) {
		unsigned kept = kept_bits(plan, &step->sources[i]);

		if (kept == 1 || step->sources[i].negated || (exact ? kept != bits : kept < bits))
			return false;
	}
	return true;
}

static bool is_constant(const struct step_source *source)
{
	return source->kind == SOURCE_CONSTANT && source->constant->doubt == KNOWN &&
	       source->constant->form == FORM_LINE && source->constant->step == 0;
}

static void combine_set(struct act *act, uint64_t factor_a, uint64_t factor_b, uint64_t constant)
{
	act->kind = ACT_COMBINE;
	act->factor_a = factor_a;
	act->factor_b = factor_b;
	act->constant = constant;
}

static uint64_t window_of(const struct step *step)
{
	uint64_t window = step->space == SPACE_SHARED ? SHARED_WINDOW : step->space == SPACE_LOCAL ? LOCAL_WINDOW : 0;

	return step->insn->operation == OP_cvta_to ? -window : window;
}

/* Sums and multiples, modulo the width of the target. */
static bool find_combination(const struct plan *plan, const struct step *step, struct act *act)
{
	const struct ptx_insn *insn = step->insn;
	bool two = insn->operation == OP_add || insn->operation == OP_sub;

	if (insn->saturate || !sources_fit(plan, step, two ? 2 : 1, act->bits, false))
		return false;
	switch (insn->operation) {
	case OP_mov:
		combine_set(act, 1, 0, 0);
		return step->source_count == 1 && kept_bits(plan, &step->sources[0]) == act->bits;
	case OP_add:
		combine_set(act, 1, 1, 0);
		return true;
	case OP_sub:
		combine_set(act, 1, UINT64_MAX, 0);
		return true;
	case OP_neg:
		combine_set(act, UINT64_MAX, 0, 0);
		return true;
	case OP_not:
		combine_set(act, UINT64_MAX, 0, UINT64_MAX);
		return true;
	case OP_cvta:
	case OP_cvta_to:
		combine_set(act, 1, 0, window_of(step));
		return true;
	case OP_shl:
		if (step->source_count < 2 || !is_constant(&step->sources[1]))
			return false;
		combine_set(act,
		            step->sources[1].constant->base >= act->bits
		                    ? 0
		                    : UINT64_C(1) << step->sources[1].constant->base,
		            0, 0);
		return true;
	default:
		return false;
	}
}

static bool find_product(const struct plan *plan, const struct step *step, struct act *act)
{
	const struct ptx_insn *insn = step->insn;
	bool add = insn->operation == OP_mad;

	if ((!add && insn->operation != OP_mul) || insn->saturate || insn->mode == MODE_HI)
		return false;
	act->is_wide = insn->mode == MODE_WIDE;
	if (!sources_fit(plan, step, 2, step->bits, true) || (add && step->source_count < 3) ||
	    (add && kept_bits(plan, &step->sources[2]) != act->bits))
		return false;
	act->kind = ACT_PRODUCT;
	act->source_count = add ? 3 : 2;
	return true;
}

/* Operations on integers that scalar_apply() does for all widths alike. */
static bool is_lanewise(const struct step *step)
{
	const struct ptx_insn *insn = step->insn;

	switch (step->rule->how) {
	case HOW_LOGIC:
	case HOW_SHIFT:
	case HOW_FIELD:
	case HOW_DIVISION:
	case HOW_LANES:
		return true;
	case HOW_EXTREME:
		return insn->operation != OP_abs;
	case HOW_PRODUCT:
		return insn->operation == OP_mul && insn->mode == MODE_HI;
	case HOW_CONVERT:
		return !ptx_type_is_float((enum ptx_type)insn->source_type) && !insn->saturate;
	default:
		return false;
	}
}

static bool is_bit_count(const struct ptx_insn *insn)
{
	return insn->operation == OP_popc || insn->operation == OP_clz || insn->operation == OP_bfind;
}

static bool find_lanewise(const struct plan *plan, const struct step *step, struct act *act)
{
	unsigned result = is_bit_count(step->insn) ? 32 : step->bits;

	if (!is_lanewise(step) || result != act->bits || !step->source_count || step->source_count > 4)
		return false;
	for (unsigned i = 0; i < step->source_count; i++)
		if (step->sources[i].negated || kept_bits(plan, &step->sources[i]) == 1 ||
		    kept_bits(plan, &step->sources[i]) != step->sources[i].bits ||
		    (i == 3 && !is_constant(&step->sources[i])))
			return false;
	act->kind = ACT_LANEWISE;
	if (step->source_count == 4)
		act->constant = step->sources[3].constant->base;
	return true;
}

static bool find_comparison(const struct plan *plan, const struct step *step, struct act *act)
{
	const struct ptx_insn *insn = step->insn;

	if (insn->operation != OP_setp || insn->boolean != BOOLEAN_NONE ||
	    ptx_type_is_float((enum ptx_type)insn->type) || step->target_count > 2 || act->bits > 1 ||
	    step->bits == 1 || !sources_fit(plan, step, 2, step->bits, true))
		return false;
	act->kind = ACT_COMPARE;
	act->bits = step->bits;
	return true;
}

/* What kind of operation on integers the step is. */
static void find_kind(const struct plan *plan, const struct step *step, struct act *act)
{
	const struct ptx_insn *insn = step->insn;
	bool real = ptx_type_is_float((enum ptx_type)insn->type),
	     one = step->target_count == 1 && step->targets[0] != NO_INDEX;
	unsigned bits = insn->mode == MODE_WIDE ? 2u * step->bits : step->bits;

	act->kind = ACT_GENERAL;
	if ((insn->operation == OP_ld || insn->operation == OP_st) &&
	    (insn->space == SPACE_PARAM || insn->space == SPACE_CONST))
		return;
	if (find_comparison(plan, step, act) || real || !one || act->bits == 1)
		return;
	if ((act->bits == bits && (find_combination(plan, step, act) || find_product(plan, step, act))) ||
	    find_lanewise(plan, step, act))
		return;
	act->kind = ACT_GENERAL;
}

static void act_make(struct tracer *tracer, const struct plan *plan, const struct step *step, struct act *act)
{
	unsigned flags = step->flags;

	act->step = step;
	act->insn = step->index;
	act->is_signed = step->is_signed;
	act->is_barrier = flags & FLAG_BARRIER;
	act->target = step->target_count ? step->targets[0] : NO_INDEX;
	act->bits = act->target == NO_INDEX ? 0 : plan->bits[act->target];
	act->source_count = step->source_count < 3 ? step->source_count : 3;
	for (unsigned i = 0; i < act->source_count; i++)
		act->sources[i] = source_make(tracer, &step->sources[i]);
	if (flags & FLAG_EXIT || (flags & FLAG_CALL && step->insn->no_return))
		act->kind = ACT_EXIT;
	else if (flags & FLAG_CALL)
		act->kind = ACT_CALL;
	else if (step->is_memory)
		act->kind = ACT_MEMORY;
	else if (step->target_count)
		find_kind(plan, step, act);
	else
		act->kind = act->is_barrier ? ACT_BARRIER : ACT_NOTHING;
}

/* Barriers that no step is made of: they are not guarded, and write nothing that is needed. */
static const struct step no_step = {.guard = NO_INDEX};

static bool is_bare_barrier(const struct ptx_insn *insn)
{
	return ptx_insn_flags(insn) & FLAG_BARRIER;
}

static void block_make(struct tracer *tracer, const struct plan *plan, uint32_t index, struct act_block *block)
{
	const struct ptx_function *function = plan->function;
	const struct ptx_basic_block *from = &function->cfg->blocks[index];
	const struct plan_block *planned = &plan->blocks[index];
	uint32_t step = 0, bare = 0;

	if (planned->branch && planned->branch->insn->operation == OP_brx_idx && planned->branch->source_count)
		block->index = source_make(tracer, &planned->branch->sources[0]);
	for (uint32_t i = from->first; i < from->first + from->count; i++)
		bare += is_bare_barrier(&function->insns[i]);
	block->acts = arena_array(tracer->arena, planned->step_count + bare + 1, sizeof(*block->acts));
	for (uint32_t i = from->first; i < from->first + from->count; i++) {
		if (step < planned->step_count && planned->steps[step].index == i)
			act_make(tracer, plan, &planned->steps[step++], &block->acts[block->count++]);
		else if (is_bare_barrier(&function->insns[i]))
			block->acts[block->count++] = (struct act){.step = &no_step,
			                                           .insn = i,
			                                           .target = NO_INDEX,
			                                           .kind = ACT_BARRIER,
			                                           .is_barrier = true};
	}
}

struct trace_code *trace_code_make(struct tracer *tracer, const struct plan *plan)
{
	struct trace_code *code = tracer->codes;

	while (code && code->plan != plan)
		code = code->next;
	if (code)
		return code;
	code = arena_alloc(tracer->arena, sizeof(*code));
	code->plan = plan;
	code->blocks = arena_array(tracer->arena, plan->block_count + 1, sizeof(*code->blocks));
	code->scratch = activation_make(tracer->run, plan, NULL);
	code->next = tracer->codes;
	tracer->codes = code;
	for (uint32_t i = 0; i < plan->block_count; i++)
		if (plan->function->cfg->blocks[i].reachable)
			block_make(tracer, plan, i, &code->blocks[i]);
	return code;
}
