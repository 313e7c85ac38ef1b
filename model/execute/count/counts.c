/*
 * The vector of counts: what stands where, and arithmetic on whole vectors.
 *
 * In order: instructions of called functions, divergent branches; of each block executions and lanes; of each edge
 * likewise; of each loop entries and trips; of each slot the numbers of struct insn_counts.
 */
#include "model/execute/count/count.h"

#include <string.h>

#define FLOW_COUNTS (sizeof(struct flow_counts) / sizeof(double))
#define LOOP_COUNTS (sizeof(struct loop_counts) / sizeof(double))
#define SLOT_COUNTS (sizeof(struct insn_counts) / sizeof(double))
#define FIRST_BLOCK 2

void counts_shape_make(struct arena *arena, const struct plan *plan, struct counts_shape *layout)
{
	const struct ptx_cfg *cfg = plan->function->cfg;
	uint32_t edges = 0;

	layout->plan = plan;
	layout->first_edge = arena_array(arena, plan->block_count + 1, sizeof(uint32_t));
	for (uint32_t i = 0; i < plan->block_count; i++) {
		layout->first_edge[i] = edges;
		edges += 2 + cfg->blocks[i].target_count;
	}
	layout->blocks = FIRST_BLOCK;
	layout->edges = layout->blocks + FLOW_COUNTS * plan->block_count;
	layout->loops = layout->edges + FLOW_COUNTS * edges;
	layout->slots = layout->loops + LOOP_COUNTS * cfg->loop_count;
	layout->total = layout->slots + SLOT_COUNTS * plan->slot_count;
}

struct tally counts_make(struct arena *arena, const struct counts_shape *layout)
{
	return (struct tally){layout, arena_array(arena, layout->total, sizeof(double))};
}

struct insn_counts *counts_insn(const struct tally *tally, uint32_t slot)
{
	return (struct insn_counts *)&tally->numbers[tally->layout->slots + SLOT_COUNTS * slot];
}

struct flow_counts *counts_block(const struct tally *tally, uint32_t block)
{
	return (struct flow_counts *)&tally->numbers[tally->layout->blocks + FLOW_COUNTS * block];
}

/* Which of a block's edges leads to another block. */
static uint32_t edge_number(const struct ptx_basic_block *from, uint32_t to)
{
	if (from->successors[0] == to || from->successors[1] == to)
		return from->successors[0] == to ? 0 : 1;
	for (uint32_t i = 0; i < from->target_count; i++)
		if (from->targets[i] == to)
			return 2 + i;
	return UINT32_MAX;
}

struct flow_counts *counts_edge(const struct tally *tally, uint32_t from, uint32_t to)
{
	const struct counts_shape *layout = tally->layout;
	uint32_t number =
		to == PTX_NO_BASIC_BLOCK ? UINT32_MAX : edge_number(&layout->plan->function->cfg->blocks[from], to);

	if (number == UINT32_MAX)
		return NULL;
	return (struct flow_counts *)&tally->numbers[layout->edges + FLOW_COUNTS * (layout->first_edge[from] + number)];
}

struct loop_counts *counts_loop(const struct tally *tally, uint32_t loop)
{
	return (struct loop_counts *)&tally->numbers[tally->layout->loops + LOOP_COUNTS * loop];
}

double *counts_called(const struct tally *tally)
{
	return &tally->numbers[0];
}

double *counts_divergent(const struct tally *tally)
{
	return &tally->numbers[1];
}

double counts_instructions(const struct tally *tally)
{
	const struct plan *plan = tally->layout->plan;
	double instructions = *counts_called(tally);

	for (uint32_t i = 0; i < plan->block_count; i++)
		instructions += counts_block(tally, i)->executions * plan->blocks[i].insn_count;
	return instructions;
}

double counts_touched(const struct tally *tally)
{
	double touched = 0;

	for (uint32_t i = 0; i < tally->layout->plan->slot_count; i++)
		touched += counts_insn(tally, i)->sectors + counts_insn(tally, i)->wavefronts;
	return touched;
}

/* ---- whole vectors ------------------------------------------------------------------------------------ */

void counts_clear(const struct tally *tally)
{
	memset(tally->numbers, 0, tally->layout->total * sizeof(double));
}

void counts_copy(const struct tally *to, const struct tally *from)
{
	memcpy(to->numbers, from->numbers, to->layout->total * sizeof(double));
}

void counts_scale(const struct tally *tally, double factor)
{
	for (size_t i = 0; i < tally->layout->total; i++)
		tally->numbers[i] *= factor;
}

void counts_add(const struct tally *to, const struct tally *from, double factor)
{
	for (size_t i = 0; i < to->layout->total; i++)
		to->numbers[i] += from->numbers[i] * factor;
}

/* Whether a number of the vector counts lanes, or what they touch. */
static bool is_of_lanes(const struct counts_shape *layout, size_t index)
{
	if (index >= layout->slots) {
		size_t kind = (index - layout->slots) % SLOT_COUNTS * sizeof(double);

		return kind != offsetof(struct insn_counts, executions) && kind != offsetof(struct insn_counts, known);
	}
	return index >= layout->blocks && index < layout->loops && (index - layout->blocks) % FLOW_COUNTS;
}

void counts_grow_apart(const struct tally *now, const struct tally *then, double warps, double lanes)
{
	for (size_t i = 0; i < now->layout->total; i++)
		now->numbers[i] += (now->numbers[i] - then->numbers[i]) * (is_of_lanes(now->layout, i) ? lanes : warps);
}

/* n over k as a number; n may be large. */
static double binomial(double n, unsigned k)
{
	double result = 1;

	for (unsigned i = 0; i < k; i++)
		result = result * (n - i) / (i + 1);
	return result;
}

/* Sum over m < count of the polynomial that has samples[0 .. degree] at 0 .. degree (overwritten by its differences).
 */
static double polynomial_sum(double *samples, unsigned degree, double count)
{
	double sum = 0;

	for (unsigned order = 1; order <= degree; order++)
		for (unsigned i = degree; i >= order; i--)
			samples[i] -= samples[i - 1];
	for (unsigned order = 0; order <= degree; order++)
		sum += samples[order] * binomial(count, order + 1);
	return sum;
}

void counts_continue(const struct tally *now, const struct tally *marks, unsigned degree, double count)
{
	double samples[LOOP_DEGREE + 1];

	for (size_t i = 0; i < now->layout->total; i++) {
		double done = now->numbers[i] - marks[0].numbers[i];

		for (unsigned j = 0; j <= degree; j++)
			samples[j] = (j == degree ? now->numbers[i] : marks[j + 1].numbers[i]) - marks[j].numbers[i];
		now->numbers[i] += polynomial_sum(samples, degree, count) - done;
	}
}

/* ---- of one run ------------------------------------------------------------------------------------------ */

struct tally *counting_gradient(struct counting *counting, uint32_t axis)
{
	if (!counting->gradient[axis].numbers)
		counting->gradient[axis] = counts_make(counting->arena, counting->counts.layout);
	return &counting->gradient[axis];
}

void counting_clear(struct counting *counting)
{
	counts_clear(&counting->counts);
	for (uint32_t axis = 0; axis < LAUNCH_AXES; axis++)
		if (counting->gradient[axis].numbers)
			counts_clear(&counting->gradient[axis]);
	counting->bent = counting->inexact = false;
	counting->gradient_changes = 0;
	counting->event_count = counting->footprints.count = 0;
	counting->weight = 1;
}
