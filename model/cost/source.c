/*
 * The thesis's conventional method: the CUDA source alone. Every access of the source counts as one memory instruction
 * of its own, executed as often as the source's loops say; what the compiler merges, hoists or unrolls is not seen.
 * Transactions, hit rates and overlap as in the proposed method.
 *
 * Reading: accesses overlap within a statement, told by their line (Table 4.2: IDW's three reads in three statements
 * add up, SYR2K's four in one statement form one chain, in the order in which they are written), and not where one of
 * them belongs to data that the loop writes (2MM, SYR2K: C adds two full latencies). Arithmetic costs nothing, as in
 * the proposed method.
 */
#include "model/cost/parts.h"

#include <math.h>

struct source_walk {
	struct arena *arena;
	const struct launch_view *view;
	struct estimate *estimate;
	const double *hit_rates;
	int64_t *values;
	struct warp_access previous;
	const struct access *previous_access;
	struct l2_traffic traffic;
};

static double loop_executions(struct source_walk *walk, const struct loop *loop)
{
	double executions = 1;
	for (; loop; loop = loop->parent) {
		double trips = 0;
		if (!placed_loop_trips(walk->view, loop, &trips)) {
			trips = WARP_LANES;
			cost_note(walk->arena, walk->estimate,
			          arena_printf(walk->arena,
			                       "line %u: trip count of the loop is not known%s%s; assumed %u; --model "
			                       "full follows it",
			                       loop->place.line, loop->trips && loop->trips->reason ? ": " : "",
			                       loop->trips && loop->trips->reason ? loop->trips->reason : "",
			                       WARP_LANES));
		}
		executions *= trips;
	}
	return executions;
}

static void lanes_fill(struct source_walk *walk, const struct placed_access *placed, uint64_t offsets[WARP_LANES],
                       uint32_t *mask)
{
	const struct access *access = placed->access;
	if (placed_lane_offsets(walk->view, placed, walk->values, offsets, mask))
		return;
	*mask = UINT32_MAX;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		offsets[lane] = (uint64_t)lane * (uint64_t)walk->view->machine->l2_line_bytes.value;
	cost_note(walk->arena, walk->estimate,
	          arena_printf(walk->arena,
	                       "line %u: index of %s is not computable%s%s; assumed one transaction per lane; --model "
	                       "full follows it",
	                       access->place.line, access->array->name, access->affine.reason ? ": " : "",
	                       access->affine.reason ? access->affine.reason : ""));
}

static void counts_add(struct counts *counts, const struct access_estimate *report, double warps)
{
	double requests = report->executions * warps;
	if (report->kind == ACCESS_LOAD) {
		counts->ld_requests += requests;
		counts->ld_sectors += requests * report->sectors_per_request;
	} else if (report->kind == ACCESS_STORE) {
		counts->st_requests += requests;
		counts->st_sectors += requests * report->sectors_per_request;
	}
}

/* Whether the access's innermost loop writes the data it accesses. */
static bool data_is_written(const struct source_walk *walk, const struct access *access)
{
	const struct kernel *kernel = walk->view->launch->kernel;
	for (unsigned a = 0; a < kernel->access_count; a++) {
		const struct access *other = kernel->accesses[a];
		if (other->kind != ACCESS_LOAD && other->loop == access->loop && other->array == access->array &&
		    other->leaf == access->leaf)
			return true;
	}
	return false;
}

static void scalar_access(struct source_walk *walk, const struct placed_access *placed, unsigned width)
{
	const struct access *access = placed->access;
	uint64_t offsets[WARP_LANES] = {0};
	uint32_t mask;
	double lines;
	bool written = data_is_written(walk, access);
	bool chained = !written && walk->previous_access && walk->previous_access->loop == access->loop &&
	               walk->previous_access->place.line == access->place.line;
	struct access_estimate report = {
		.array = access->array->name, .kind = access->kind, .place = access->place, .width_bytes = width};
	lanes_fill(walk, placed, offsets, &mask);
	double transactions = cost_warp_transactions(walk->view->machine, offsets, mask, width);
	struct warp_access warp = {cost_access_transactions(walk->view, access, transactions),
	                           walk->hit_rates[access->index]};
	double cycles = cost_access_latency(walk->view->machine, &warp, chained ? &walk->previous : NULL);
	touch_global(offsets, mask, width, &report.sectors_per_request, &lines);
	if (placed->placement && placed->placement->group->form == FORM_ARRAYS)
		report.array = placed->placement->group->holder ? access->array->parameter->name
		                                                : placed->placement->group->name;
	report.member = placed_member_name(walk->arena, placed);
	report.executions = loop_executions(walk, access->loop);
	report.hit_rate = warp.hit_rate;
	report.cycles = report.executions * cycles;
	report.class = cost_coalescing_of(offsets, mask, width, report.sectors_per_request);
	cost_access_add(walk->arena, walk->estimate, &report);
	counts_add(&walk->estimate->counts, &report, cost_launch_warps(walk->view->launch));
	walk->estimate->cycles_per_warp += report.cycles;
	cost_l2_add(&walk->traffic, &report);
	walk->previous = warp;
	walk->previous_access = written ? NULL : access;
}

/* A whole-record access is one access per member. */
static void access_add(struct source_walk *walk, const struct access *access)
{
	struct placed_access placed = placed_find(walk->view, access);
	if (!placed.placement || placed.field != WHOLE_ELEMENT) {
		scalar_access(walk, &placed, access->width_bytes);
		return;
	}
	for (unsigned f = 0; f < placed.placement->group->field_count; f++) {
		placed.field = f;
		scalar_access(walk, &placed, (unsigned)placed.placement->group->fields[f].size_bytes);
	}
}

struct estimate *cost_source(struct arena *arena, const struct launch_view *view)
{
	const struct kernel *kernel = view->launch->kernel;
	struct estimate *estimate = arena_alloc(arena, sizeof *estimate);
	struct source_walk walk = {.arena = arena, .view = view, .estimate = estimate};
	walk.hit_rates = cost_source_hit_rates(arena, view);
	walk.values = arena_array(arena, kernel->symbol_count + 1, sizeof *walk.values);
	for (unsigned a = 0; a < kernel->access_count; a++)
		if (kernel->accesses[a]->array->space == ARRAY_GLOBAL)
			access_add(&walk, kernel->accesses[a]);
	estimate->counts.warp_instructions = NAN;
	estimate->counts.l1_hit_rate = NAN;
	estimate->counts.shared_bank_conflicts = NAN;
	cost_l2_counts(&walk.traffic, &estimate->counts);
	estimate->occupancy = cost_occupancy(view->machine, view->launch, 0,
	                                     kernel->shared_bytes + view->launch->dynamic_shared_bytes);
	estimate->time_seconds = cost_latency_bound_time(view, estimate->cycles_per_warp);
	estimate->bound = "latency";
	return estimate;
}
