/*
 * Which configurations there are: a walk over the values of all axes, axis by axis, that leaves a branch as soon as a
 * condition does not hold in it.
 */
#include "model/tune/tune.h"

#include <string.h>

#define MOST_POINTS (1u << 20)
#define MOST_BRANCHES (UINT64_C(1) << 24)

struct space_walk {
	struct arena *arena, *scratch;
	const struct tune_space *space;
	const struct tune_axes *axes;
	struct tune_points *points;
	unsigned stored, order[MOST_SWEEP_AXES];
	unsigned *depths; /* per condition: the depth at which all of its names have values */
	struct tune_name names[MOST_SWEEP_AXES];
	uint16_t at[MOST_SWEEP_AXES];
	uint64_t branches;
	const char *problem;
};

/* A block counts by its threads. */
static struct tune_value value_in_conditions(const struct tune_value *value)
{
	struct tune_value number = *value;
	if (!value->items)
		return number;
	number = (struct tune_value){.number = 1};
	for (unsigned i = 0; i < value->count; i++)
		number.number *= value->items[i].number;
	return number;
}

static bool mentions(const struct tune_expression *expression, const char *name)
{
	if (expression->operator== TUNE_NAME && strcmp(expression->text, name) == 0)
		return true;
	for (unsigned i = 0; i < expression->count; i++)
		if (mentions(expression->operands[i], name))
			return true;
	return false;
}

static void walk_prepare(struct space_walk *walk)
{
	unsigned depth = 0;
	for (int anew = 1; anew >= 0; anew--)
		for (unsigned a = 0; a < walk->axes->count; a++)
			if (sweep_kind_anew(walk->axes->list[a].kind) == anew)
				walk->order[depth++] = a;
	walk->depths = arena_array(walk->arena, walk->space->condition_count + 1, sizeof *walk->depths);
	for (unsigned c = 0; c < walk->space->condition_count; c++)
		for (unsigned d = 0; d < depth; d++)
			if (walk->order[d] < walk->axes->named &&
			    mentions(walk->space->conditions[c].expression, walk->axes->list[walk->order[d]].name))
				walk->depths[c] = d + 1;
}

/* Whether the conditions hold that can be told at this depth. */
static bool conditions_hold(struct space_walk *walk, unsigned depth)
{
	for (unsigned c = 0; c < walk->space->condition_count; c++) {
		const struct tune_condition *condition = &walk->space->conditions[c];
		struct tune_fault fault;
		bool holds;
		if (walk->depths[c] != depth)
			continue;
		if (!tune_expression_holds(walk->scratch, condition->expression, walk->names, walk->axes->named, &holds,
		                           &fault)) {
			walk->problem = arena_printf(walk->arena, "%s: %s", condition->text, fault.text);
			return false;
		}
		if (!holds)
			return false;
	}
	return true;
}

static void point_add(struct space_walk *walk)
{
	unsigned count = walk->axes->count;
	if (walk->points->count == MOST_POINTS) {
		walk->problem = arena_printf(
			walk->arena,
			"the space has more than %u configurations: name fewer values, or add a --constraint",
			MOST_POINTS);
		return;
	}
	for (unsigned a = 0; a < count; a++)
		ARENA_PUSH(walk->arena, walk->points->at, walk->stored, walk->at[a]);
	walk->points->count++;
}

static void walk_from(struct space_walk *walk, unsigned depth)
{
	if (walk->problem || !conditions_hold(walk, depth))
		return;
	if (depth == walk->axes->count) {
		point_add(walk);
		return;
	}
	unsigned axis = walk->order[depth];
	for (unsigned v = 0; v < walk->axes->list[axis].count && !walk->problem; v++) {
		if (++walk->branches > MOST_BRANCHES)
			walk->problem =
				"the space is too large: name fewer values, or constrain names that stand first";
		walk->at[axis] = (uint16_t)v;
		if (axis < walk->axes->named)
			walk->names[axis].value = value_in_conditions(&walk->space->parameters[axis].values[v]);
		walk_from(walk, depth + 1);
	}
}

const char *tune_points_find(struct arena *arena, const struct tune_space *space, const struct tune_axes *axes,
                             struct tune_points *points)
{
	struct space_walk walk = {
		.arena = arena, .scratch = arena_create(), .space = space, .axes = axes, .points = points};
	*points = (struct tune_points){.all = 1};
	for (unsigned a = 0; a < axes->count; a++)
		points->all *= axes->list[a].count;
	for (unsigned p = 0; p < axes->named; p++)
		walk.names[p] = (struct tune_name){.name = axes->list[p].name};
	walk_prepare(&walk);
	walk_from(&walk, 0);
	arena_release(walk.scratch);
	if (!walk.problem && points->count == 0)
		return "no configuration satisfies the constraints";
	return walk.problem;
}

const char *tune_dimensions_value(struct arena *arena, const struct tune_space *space, const struct tune_axes *axes,
                                  const uint16_t *at, const struct tune_expression *const dimensions[3], bool own,
                                  uint32_t value[3])
{
	struct tune_name names[MOST_SWEEP_AXES];
	for (unsigned p = 0; p < axes->named; p++) {
		const struct sweep_axis *axis = &axes->list[p];
		names[p] = (struct tune_name){axis->name, value_in_conditions(&space->parameters[p].values[at[p]])};
		if (own && axis->has_own && !axis->dimensions)
			names[p].value = axis->words ? (struct tune_value){.word = axis->words[axis->own]}
			                             : (struct tune_value){.number = (double)axis->own};
	}
	for (unsigned axis = 0; axis < 3; axis++) {
		struct tune_value result = {.number = 1};
		struct tune_fault fault;
		if (dimensions[axis] &&
		    !tune_expression_value(arena, dimensions[axis], names, axes->named, &result, &fault))
			return fault.text;
		if (!tune_is_integer(&result) || result.number < 1 || result.number > INT32_MAX)
			return arena_printf(arena, "along %c it is no whole number from 1 to %d", "xyz"[axis],
			                    INT32_MAX);
		value[axis] = (uint32_t)result.number;
	}
	return NULL;
}

unsigned tune_points_distance(const struct tune_axes *axes, const uint16_t *a, const uint16_t *b)
{
	unsigned distance = 0;
	for (unsigned axis = 0; axis < axes->count; axis++)
		distance += a[axis] != b[axis];
	return distance;
}
