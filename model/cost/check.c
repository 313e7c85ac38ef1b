/*
 * What must hold of every estimate, whatever its model. cost_estimate() checks each: what breaks it is a bug of ours,
 * not a property of the input.
 *
 * Sectors at the L2: a sector that an SM asks for is counted once in each partition that it passes (Nsight Compute
 * counts so), and no sector reaches the L2 that no instruction asked for.
 */
#include "model/cost/cost.h"

#include <math.h>

/* Counts that follow from each other by different roads differ in the last digits. */
#define ROUNDING 1e-6

static bool is_share(double value)
{
	return isnan(value) || (value >= 0 && value <= 1 + ROUNDING);
}

static bool is_count(double value)
{
	return isnan(value) || (isfinite(value) && value >= 0);
}

static bool at_most(double value, double limit)
{
	return isnan(value) || isnan(limit) || value <= limit * (1 + ROUNDING);
}

/* Sectors that the instructions of one form of the code ask for, in whatever memory. */
static double sectors_of(const struct code_view *code)
{
	double sectors = 0;
	for (size_t i = 0; code->evaluation && i < code->function->insn_count; i++)
		sectors += code->evaluation->insns[i].sectors;
	return sectors;
}

static double instructions_of(const struct code_view *code)
{
	return code->evaluation ? code->evaluation->warp_instructions : 0;
}

static const char *counts_problem(const struct counts *counts)
{
	const double each[] = {counts->warp_instructions,     counts->ld_requests,       counts->ld_sectors,
	                       counts->st_requests,           counts->st_sectors,        counts->l2_read_sectors,
	                       counts->l2_write_sectors,      counts->dram_read_bytes,   counts->dram_write_bytes,
	                       counts->shared_bank_conflicts, counts->local_ld_requests, counts->local_ld_sectors,
	                       counts->local_st_requests,     counts->local_st_sectors,  counts->shared_ld_requests,
	                       counts->shared_st_requests,    counts->atomic_requests,   counts->shared_atomic_requests,
	                       counts->atomic_sectors,        counts->reduction_sectors, counts->reduction_requests};
	for (size_t i = 0; i < ARRAY_COUNT(each); i++)
		if (!is_count(each[i]))
			return "a count is negative or not finite";
	if (!is_share(counts->l1_hit_rate) || !is_share(counts->l2_hit_rate))
		return "a hit rate is not between 0 and 1";
	return NULL;
}

void cost_traffic_bound(const struct launch_view *view, struct counts *counts)
{
	double most =
		fmax(sectors_of(&view->ptx), sectors_of(&view->machine_code)) * view->machine->l2_partitions.value;
	double counted = counts->l2_read_sectors + counts->l2_write_sectors;
	if (!view->ptx.evaluation || !(counted > most))
		return;
	counts->l2_write_sectors = fmin(counts->l2_write_sectors, most);
	counts->l2_read_sectors = most - counts->l2_write_sectors;
}

const char *cost_traffic_check(const struct launch_view *view, const struct counts *counts)
{
	double sectors = fmax(sectors_of(&view->ptx), sectors_of(&view->machine_code));
	double instructions = fmax(instructions_of(&view->ptx), instructions_of(&view->machine_code));
	const char *problem = counts_problem(counts);
	if (problem || !view->ptx.evaluation)
		return problem;
	if (!at_most(counts->ld_requests + counts->st_requests, instructions))
		return "more requests than instructions";
	if (!at_most(counts->l2_read_sectors + counts->l2_write_sectors, sectors * view->machine->l2_partitions.value))
		return "more sectors at the L2 than instructions ask for";
	return NULL;
}

static const char *access_problem(const struct access_estimate *access)
{
	if (!is_count(access->executions) || !is_count(access->sectors_per_request))
		return "an access has negative counts, or counts that are not finite";
	return is_share(access->hit_rate) ? NULL : "an access has a hit rate that is not between 0 and 1";
}

const char *cost_check(const struct launch_view *view, const struct estimate *estimate)
{
	const char *problem = cost_traffic_check(view, &estimate->counts);
	if (!isfinite(estimate->time_seconds) || estimate->time_seconds < 0)
		return "the time is negative or not finite";
	if (estimate->time_seconds <= 0 && estimate->cycles_per_warp > 0)
		return "the time is 0, and warps run";
	if (!is_share(estimate->occupancy))
		return "the occupancy is not between 0 and 1";
	for (unsigned l = 0; l < estimate->limit_count && !problem; l++)
		problem = is_count(estimate->limits[l].cycles) ? NULL : "a limit is negative or not finite";
	for (unsigned a = 0; a < estimate->access_count && !problem; a++)
		problem = access_problem(&estimate->accesses[a]);
	return problem;
}
