/*
 * Divisions by constants, which compilers write as a product whose high bits are taken: x * m >> s.
 *
 * With d the nearest whole number to 2^s / m and e = m d - 2^s, this is floor(x / d) for all 0 <= x where e >= 0 and
 * x e < 2^s (Granlund and Montgomery, Division by Invariant Integers using Multiplication, PLDI 1994). Taken as a
 * quotient (compute/magic.c) it is linear along the axes in steps of d, which its two halves alone are not.
 */
#include "model/execute/plan/plan.h"

/* A register holds x * multiplier >> shift, as long as the block goes on and nothing writes it or x. */
struct wide_product {
	const struct plan_block *block; /* where that is known, or NULL */
	uint32_t writes;                /* of x when it was made */
	struct magic magic;
};

static bool is_known(const struct planner *planner, const struct plan_block *block, uint32_t reg)
{
	const struct wide_product *product = &planner->products[reg];
	const struct step_source *x = &product->magic.x;

	return product->block == block && (x->kind != SOURCE_REGISTER || planner->writes[x->reg] == product->writes);
}

/* The constant among the sources of a product, and the other one. */
static bool constant_factor(const struct step *step, unsigned which, struct magic *magic)
{
	const struct step_source *constant = &step->sources[which];

	if (step->source_count != 2 || constant->kind != SOURCE_CONSTANT || constant->constant->doubt)
		return false;
	magic->multiplier = constant->constant->base;
	magic->x = step->sources[1 - which];
	magic->bits = step->bits;
	magic->is_signed = step->is_signed;
	if (magic->is_signed && value_signed(magic->multiplier, magic->bits) <= 0)
		return false;
	return magic->multiplier > 1 && magic->x.kind != SOURCE_CONSTANT;
}

static bool is_product(const struct step *step, struct magic *magic)
{
	const struct ptx_insn *insn = step->insn;

	if (insn->operation != OP_mul || ptx_type_is_float((enum ptx_type)insn->type) ||
	    (insn->mode != MODE_HI && insn->mode != MODE_WIDE))
		return false;
	magic->shift = insn->mode == MODE_HI ? step->bits : 0;
	return constant_factor(step, 1, magic) || constant_factor(step, 0, magic);
}

/* A shift to the right of a product that was made before in the block, by a constant. */
static bool is_shifted_product(const struct planner *planner, const struct plan_block *block, const struct step *step,
                               struct magic *magic)
{
	const struct step_source *of = step->sources, *by = step->sources + 1;

	if (step->insn->operation != OP_shr || step->source_count != 2 || of->kind != SOURCE_REGISTER ||
	    !is_known(planner, block, of->reg) || by->kind != SOURCE_CONSTANT || by->constant->base >= step->bits)
		return false;
	*magic = planner->products[of->reg].magic;
	magic->shift += (unsigned)by->constant->base;
	return magic->shift != 0;
}

/* The step writes registers: what was known of them, or by them, is no longer so. */
static void forget_written(const struct planner *planner, const struct step *step)
{
	for (unsigned i = 0; i < step->target_count; i++) {
		uint32_t target = step->targets[i];

		if (target == NO_INDEX)
			continue;
		planner->products[target].block = NULL;
		planner->writes[target]++;
	}
}

/* writes: of x, before the step wrote its targets, which may be x. */
static void product_keep(const struct planner *planner, const struct plan_block *block, uint32_t reg,
                         const struct magic *magic, uint32_t writes)
{
	planner->products[reg] = (struct wide_product){block, writes, *magic};
}

static uint32_t writes_of(const struct planner *planner, const struct step_source *x)
{
	return x->kind == SOURCE_REGISTER ? planner->writes[x->reg] : 0;
}

static bool has_product(const struct plan_block *block)
{
	struct magic magic;

	for (uint32_t i = 0; i < block->step_count; i++)
		if (is_product(&block->steps[i], &magic))
			return true;
	return false;
}

void plan_magic(struct planner *planner, struct plan_block *block)
{
	const uint32_t registers = planner->plan->register_count;

	if (!has_product(block))
		return;
	if (!planner->products) {
		planner->products = arena_array(planner->arena, registers + 1, sizeof(*planner->products));
		planner->writes = arena_array(planner->arena, registers + 1, sizeof(*planner->writes));
	}
	for (uint32_t i = 0; i < block->step_count; i++) {
		struct step *step = &block->steps[i];
		struct magic magic = {.shift = 0};
		bool product = is_product(step, &magic);

		if (!product)
			is_shifted_product(planner, block, step, &step->magic);
		else if (magic.shift)
			step->magic = magic;
		uint32_t writes = product ? writes_of(planner, &magic.x) : 0;
		forget_written(planner, step);
		if (product && step->target_count == 1 && step->targets[0] != NO_INDEX && !step->insn->guarded)
			product_keep(planner, block, step->targets[0], &magic, writes);
	}
}
