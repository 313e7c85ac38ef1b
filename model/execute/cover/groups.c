/*
 * The warps of a block as groups that one box can hold: warps with the same lanes, moved along rows, columns or planes
 * of the block.
 */
#include "model/execute/cover/cover.h"

/* Thread ids of a group's first warp, by lane. */
static void group_threads(const struct evaluator *evaluator, struct warp_group *group)
{
	const uint32_t *block = evaluator->input->block;
	uint64_t before[3] = {1, block[0], (uint64_t)block[0] * block[1]};

	for (unsigned dimension = 0; dimension < 3; dimension++) {
		struct warp_value *value = &group->thread[dimension];

		value_set(value, 32, 0);
		for (unsigned lane = 0; lane < WARP_LANES; lane++) {
			uint64_t thread = (uint64_t)group->first_warp * WARP_LANES + lane;

			value->lane[lane] = thread / before[dimension] % block[dimension];
		}
		value->form = FORM_LANES;
		value_compact(value, group->mask);
	}
}

static void add_group(struct evaluator *evaluator, struct warp_group *group)
{
	group_threads(evaluator, group);
	ARENA_PUSH(evaluator->scratch, evaluator->groups, evaluator->group_count, *group);
}

/* Lanes of a warp that exist. */
static uint32_t warp_mask(const uint32_t block[3], uint64_t warp)
{
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], first = warp * WARP_LANES;

	return threads >= first + WARP_LANES ? ALL_LANES : (uint32_t)value_mask((unsigned)(threads - first));
}

/* Warps that are the same set of lanes moved along rows, columns or planes of the block. */
void cover_groups(struct evaluator *evaluator)
{
	const uint32_t *block = evaluator->input->block;
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], whole = threads / WARP_LANES;
	uint64_t plane = (uint64_t)block[0] * block[1];
	struct warp_group group = {.mask = ALL_LANES, .count = {1, 1, 1}};

	if (block[0] % WARP_LANES == 0) {
		group.count[0] = block[0] / WARP_LANES;
		group.count[1] = block[1];
		group.count[2] = block[2];
		group.thread_slope[0][0] = WARP_LANES;
		group.thread_slope[1][1] = group.thread_slope[2][2] = 1;
		group.warp_slope[0] = 1;
		group.warp_slope[1] = group.count[0];
		group.warp_slope[2] = group.count[0] * group.count[1];
		add_group(evaluator, &group);
		return;
	}
	if (block[1] == 1 && block[2] == 1) {
		group.count[0] = (int64_t)whole;
		group.thread_slope[0][0] = WARP_LANES;
	} else if (WARP_LANES % block[0] == 0 && (plane % WARP_LANES == 0 || block[2] == 1)) {
		group.count[1] = block[2] == 1 ? (int64_t)whole : (int64_t)(plane / WARP_LANES);
		group.count[2] = block[2];
		group.thread_slope[1][1] = WARP_LANES / block[0];
		group.thread_slope[2][2] = 1;
		group.warp_slope[2] = group.count[1];
	} else if (WARP_LANES % plane == 0) {
		group.count[2] = (int64_t)whole;
		group.thread_slope[2][2] = (int64_t)(WARP_LANES / plane);
	} else {
		group.count[0] = 0;
	}
	for (int axis = 0; axis < 3; axis++)
		if (!group.warp_slope[axis])
			group.warp_slope[axis] = 1;
	if (group.count[0] * group.count[1] * group.count[2] > 0)
		add_group(evaluator, &group);
	group = (struct warp_group){.count = {1, 1, 1}};
	for (uint64_t warp = evaluator->group_count ? whole : 0; warp * WARP_LANES < threads; warp++) {
		group.first_warp = (uint32_t)warp;
		group.mask = warp_mask(block, warp);
		add_group(evaluator, &group);
	}
}
