/*
 * What one warp may cost, and a run cut short.
 */
#include "model/execute/run/run.h"

uint64_t run_limit(const struct evaluator *evaluator)
{
	if (evaluator->mode == MODE_SAMPLE)
		return evaluator->sample_limit;
	return evaluator->effort.limit / (evaluator->random ? EFFORT_RANDOM_SHARE : EFFORT_WARP_SHARE) + 1;
}

void run_is_random(struct run *run)
{
	if (run->evaluator->random)
		return;
	run->evaluator->random = true;
	run->effort.limit = run_limit(run->evaluator);
}

void run_cut(struct run *run)
{
	run->ending.cut = true;
	run->axes.split = false;
}
