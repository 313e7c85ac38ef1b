/*
 * Functions under way: their registers, and the stack of masks.
 */
#include "model/execute/run/steps.h"

#include <string.h>

void activation_update(struct activation *activation)
{
	const struct plan *plan = activation->plan;

	memset(activation->pending, 0, plan->live_words * sizeof(uint64_t));
	for (uint32_t i = 0; i + 1 < activation->depth; i++) {
		uint32_t block = activation->stack[i].block;

		for (uint32_t word = 0; block != PTX_NO_BASIC_BLOCK && word < plan->live_words; word++)
			activation->pending[word] |= plan->blocks[block].live[word];
	}
}

void activation_push(struct run *run, struct activation *activation, struct entry entry)
{
	if (activation->depth == activation->capacity) {
		uint32_t capacity = 2 * activation->capacity;
		struct entry *grown = arena_array(run->evaluator->scratch, capacity, sizeof(*grown));

		memcpy(grown, activation->stack, activation->depth * sizeof(*grown));
		activation->stack = grown;
		activation->capacity = capacity;
	}
	activation->stack[activation->depth++] = entry;
}

void activation_leave(struct activation *activation, uint32_t lanes)
{
	uint32_t first = activation_top(activation)->fence ? activation_top(activation)->fence - 1 : 0;

	for (uint32_t i = first; i < activation->depth; i++)
		activation->stack[i].mask &= ~lanes;
}

struct activation *activation_make(struct run *run, const struct plan *plan, struct activation *caller)
{
	struct arena *arena = run->evaluator->scratch;
	struct activation *activation = run->calls.spare;

	while (activation && (activation->plan != plan || activation->busy))
		activation = activation->next;
	if (activation) {
		activation->depth = 0;
	} else {
		activation = arena_alloc(arena, sizeof(*activation));
		activation->plan = plan;
		activation->registers = arena_array(arena, plan->register_count + 1, sizeof(struct warp_value));
		activation->pending = arena_array(arena, plan->live_words, sizeof(uint64_t));
		activation->capacity = 16;
		activation->stack = arena_array(arena, activation->capacity, sizeof(struct entry));
		activation->next = run->calls.spare;
		run->calls.spare = activation;
	}
	activation->busy = true;
	activation->caller = caller;
	for (uint32_t reg = 0; reg < plan->register_count; reg++) {
		value_set(&activation->registers[reg], plan->bits[reg], 0);
		activation->registers[reg].unset = true;
	}
	return activation;
}

struct compute_place activation_place(struct run *run, struct activation *activation)
{
	return (struct compute_place){
		.axes = &run->axes,
		.plan = activation->plan,
		.registers = activation->registers,
		.pending = activation->pending,
		.specials = run->place.specials,
		.uncertain = run->uncertain,
		.shifts = &run->shifts,
		.usual = &run->usual,
		.distance = activation->caller || run->evaluator->mode != MODE_SAMPLE ? NULL : run->loops.distance,
		.mean = run->loops.mean_distance};
}
