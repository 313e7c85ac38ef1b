/*
 * From runs of one SM to the launch.
 *
 *   time = event overhead + (start + max(T, atomics, issue floor) + atomics exposed) / clock
 *   T    = cycles of the run, where it held all blocks of the SM
 *        = cycles + instructions left / rate of its later half, else
 *        + how the last blocks end, + DRAM's lag behind stores
 *        + what the slowest SM takes longer (imbalance.c)
 *
 * Parts of a launch get runs of their own: with the L2 filled, with the L1 filled, with warps out
 * of step. An SM with more blocks than the mean gets as much more of the L2 and DRAM. Assumed:
 * block b runs on SM b mod SMs. Where only the first blocks of a launch work, those count, and
 * the SM that has most of them is waited for (launch.first_blocks_share).
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

#ifndef FULL_LONGER
/* times as many instructions: how far runs are from longer ones, benchmarks/trust.py --against */
#define FULL_LONGER 1
#endif
#define BUDGET (FULL_LONGER * 24000) /* warp instructions simulated, about */
#define LIGHTER 2.0 /* times as many of a run within the first generation of blocks, where none loads */
#define GENERATIONS_MOST (FULL_LONGER * 250000) /* where two generations of blocks take no more, both are simulated */
#define BUDGET_MOST (FULL_LONGER * 90000)       /* where all take less, all are */
#define WHOLE 1.5                               /* times as many are simulated where the SM has no more */
#define SHORT_LIFE 0.01                         /* of the launch: half of that is nothing */
#define NEARLY 0.7                              /* of what makes warps lose step: it may be so */
#define STEADY 0.1                              /* rates within that are the same but for chance */
#define SATURATED 0.75 /* DRAM is what loads wait for: loaded.dram_latency_cycles is a sixth above the unloaded one */
#define APART 4        /* times what the L1 holds of a block's requests */
#define LITTLE 0.05    /* of a launch: a run for it may be SHORTER so many times */
#define SHORTER 4
#define UNEQUAL 1.02 /* blocks within that are alike */
#define IDLE 0.1     /* of the mean block's instructions: a block with less does nothing */
#define MAKES_UP 0.3 /* of a launch's instructions: so much may be missing of what its first blocks do */
#define STEPS 20000  /* of the evaluation of one block, where that of the launch had to sample warps */

/* Points that a straight line is laid through: sums over them. */
struct points {
	double count, x, y, xx, xy;
};

static void points_add(struct points *points, double x, double y)
{
	points->count++;
	points->x += x;
	points->y += y;
	points->xx += x * x;
	points->xy += x * y;
}

/*
 * Warp instructions a cycle between two checkpoints of a run, or from one to its end: by the straight line that is
 * nearest to them and all between, as warps that wait together come in bursts, of which a part is cut off at either
 * end.
 */
static double rate_between(const struct full_run *run, unsigned from, unsigned to)
{
	const struct full_checkpoint *first = &run->checkpoints[from];
	struct points points = {0};
	for (unsigned i = from; i <= to && i < run->checkpoint_count; i++)
		points_add(&points, (double)(run->checkpoints[i].issued - first->issued),
		           run->checkpoints[i].time - first->time);
	if (to >= run->checkpoint_count)
		points_add(&points, (double)(run->issued - first->issued), run->cycles - first->time);
	return (points.count * points.xx - points.x * points.x) / (points.count * points.xy - points.x * points.y);
}

/* Warp instructions a cycle in the later half of a run, and in the quarter before, too, where that was no different. */
static double run_rate(const struct full_run *run)
{
	const unsigned half = run->checkpoint_count / 2, quarter = run->checkpoint_count / 4;
	if (run->checkpoint_count < 2 || run->cycles <= run->checkpoints[half].time)
		return (double)run->issued / fmax(1, run->cycles);
	double later = rate_between(run, half, run->checkpoint_count);
	if (!(later > 0) || isinf(later))
		return (double)run->issued / run->cycles;
	if (half <= quarter || fabs(rate_between(run, quarter, half) / later - 1) > STEADY)
		return later;
	return rate_between(run, quarter, run->checkpoint_count);
}

/* Cycles of the run's SM for so many instructions. */
static double run_extend(const struct full_run *run, double instructions)
{
	double rest = instructions - (double)run->issued;
	return run->complete || rest <= 0 ? run->cycles : run->cycles + rest / run_rate(run);
}

/* Bytes from DRAM if the whole launch went on as the run did. */
static double fetched_bytes(const struct full_work *work, const struct full_run *run)
{
	return run->path.dram_bytes / (double)run->issued * work->evaluation->warp_instructions;
}

/* The part of the launch after which it has fetched all that it touches once, at the rate of the run. */
static double cold_share(const struct full_work *work, const struct full_traffic *traffic, const struct full_run *run,
                         double instructions)
{
	const struct full_checkpoint *half = &run->checkpoints[run->checkpoint_count / 2];
	double rest = instructions - (double)run->issued, later = (double)(run->issued - half->issued);
	double fetched = run->path.dram_bytes;
	if (rest > 0 && run->checkpoint_count >= 2 && later > 0)
		fetched += (run->path.dram_bytes - half->fetched) / later * rest;
	fetched *= work->active;
	return fetched > traffic->read_bytes ? traffic->read_bytes / fetched : 1;
}

/* Adds what the instructions of a run did, extended to that share of the launch. */
static void insns_add(const struct full_work *work, const struct full_run *run, double share,
                      struct full_launch *launch)
{
	double scale = share * work->evaluation->warp_instructions / (double)run->issued;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct full_insn_run *own = &run->insns[i];
		struct full_insn_run *sum = &launch->insns[i];
		sum->sectors += scale * own->sectors;
		sum->missed += scale * own->missed;
		sum->far += scale * own->far;
		sum->sent += scale * own->sent;
		sum->cycles += scale * own->cycles;
		for (unsigned s = 0; s < COST_STALL_COUNT; s++)
			sum->stalls[s] += scale * own->stalls[s];
		if (scale * own->lead < sum->lead)
			continue;
		sum->lead = scale * own->lead;
		sum->source = own->source;
	}
}

/* Bytes from DRAM: of each load as many as in the run, as often as the launch executes it. Of a run that is cut short
 * others would count its beginning too often. */
static double insns_fetched(const struct full_work *work, const struct full_launch *launch)
{
	double fetched = 0, ran = 0, other = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct full_insn_run *run = &launch->insns[i];
		double sectors = full_loads(work, i) ? work->evaluation->insns[i].sectors : 0;
		fetched += run->sectors > 0 ? sectors * run->far / run->sectors : 0;
		*(run->sectors > 0 ? &ran : &other) += sectors;
	}
	return fetched * SECTOR_BYTES * (ran > 0 ? 1 + other / ran : 1);
}

/* Leaves that share of what was added, to make room for the rest. */
static void insns_shrink(const struct full_work *work, double share, struct full_launch *launch)
{
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		struct full_insn_run *sum = &launch->insns[i];
		double *const numbers[] = {&sum->sectors, &sum->missed, &sum->far,
		                           &sum->sent,    &sum->cycles, &sum->lead};
		for (size_t n = 0; n < ARRAY_COUNT(numbers); n++)
			*numbers[n] *= share;
		for (unsigned s = 0; s < COST_STALL_COUNT; s++)
			sum->stalls[s] *= share;
	}
}

/*
 * Whether warps that lag behind cannot catch up: loads in flight are too many for the SM, and DRAM or the LSU is what
 * they wait for. share: of both, from which on that is said.
 */
static bool loses_step(const struct full_work *work, const struct full_run *run, double share)
{
	bool busy = fmax(run->path.dram_busy, run->lsu_busy) > share * SATURATED * run->cycles,
	     shared = run->missed_sectors < run->global_sectors;
	double wanted = run->open_time > 0 ? run->open / run->open_time * work->resident * work->warps : 0;
	return !run->complete && work->warps > 1 && busy && shared && wanted > share * work->machine->loads_in_flight;
}

/*
 * Warps of a block that share lines and cannot catch up drift apart. The chance that they have left
 * lockstep grows with the square of the time. Of a block's life in lockstep this share is spent apart:
 *
 *   drifted = 1 - sqrt(pi) / 2 * erf(x) / x    x = life of a block / lockstep_cycles
 *
 * Apart they find nothing of each other's in the L1. A run shows that whose warps begin further apart
 * than the L1 can hold.
 */
static void drift_add(struct arena *arena, struct full_work *work, double waves, struct full_launch *launch)
{
	double kept = launch->cycles, lines = work->l1_bytes / LINE_BYTES;
	double x = kept * work->resident / waves / work->machine->lockstep_cycles,
	       share = 1 - sqrt(atan(1)) * erf(x) / x;
	work->scatter = APART * lines / work->resident / fmax(1, launch->run.lines / launch->run.loads);
	struct full_run apart = full_sm_run(arena, work);
	double lost = launch->instructions / run_rate(&apart);
	work->scatter = 0;
	launch->cycles = kept + share * fmax(0, lost - kept);
	insns_shrink(work, 1 - share, launch);
	insns_add(work, &apart, share, launch);
	launch->lockstep_cycles = kept;
	launch->run.missed_sectors +=
		share *
		(apart.missed_sectors / apart.global_sectors * launch->run.global_sectors - launch->run.missed_sectors);
	launch->dram_bytes += share * (fetched_bytes(work, &apart) - launch->dram_bytes);
}

/* A run for so much of the launch: where that is little, a short one, whose rate need not be as sure. */
static struct full_run share_run(struct arena *arena, struct full_work *work, double share)
{
	uint64_t budget = work->budget;
	if (share < LITTLE && !work->unhurried)
		work->budget /= SHORTER;
	struct full_run run = full_sm_run(arena, work);
	work->budget = budget;
	return run;
}

/*
 * Of many waves blocks start and end at any time. Where the last ones start, those before them are half done in the
 * mean; they end as if they had the SM more and more to themselves, half of the time as long as alone: the launch lasts
 * half the life of a block alone longer than at its steady rate.
 */
static void last_blocks_add(struct arena *arena, struct full_work *work, double most, double each,
                            struct full_launch *launch)
{
	unsigned resident = work->resident;
	double life = resident * each / run_rate(&launch->run);
	if (launch->run.complete || most <= FULL_WAVES * resident || life < SHORT_LIFE * launch->cycles)
		return;
	uint64_t first = work->first, blocks = work->blocks;
	work->first += blocks / 2 * work->step;
	work->blocks = work->resident = 1;
	work->begun = true;
	struct full_run run = share_run(arena, work, life / 2 / launch->cycles);
	launch->cycles += full_sooner(run_extend(&run, each), life) / 2;
	work->first = first;
	work->blocks = blocks;
	work->resident = resident;
	work->begun = false;
}

/* Warp instructions of one block; *cut: or of the beginnings of its warps, where they are too long. */
static double block_instructions(struct arena *arena, const struct full_work *work, uint64_t block, bool *cut)
{
	const struct evaluate_input *input = work->input;
	struct evaluate_input one = *input;
	one.first_block[0] = (uint32_t)(block % input->grid[0]);
	one.first_block[1] = (uint32_t)(block / input->grid[0] % input->grid[1]);
	one.first_block[2] = (uint32_t)(block / input->grid[0] / input->grid[1]);
	for (unsigned axis = 0; axis < 3; axis++)
		one.block_count[axis] = 1;
	if (work->evaluation->sampled > 0)
		one.step_limit = STEPS;
	const struct evaluation *evaluation = exec_evaluate(arena, &one);
	*cut = *cut || evaluation->cut;
	return evaluation->warp_instructions;
}

/*
 * Blocks that fit in a few waves and do not do the same: the SM that has the heaviest is waited for. Loops over
 * triangles make the first or the last one the heaviest, as do warps that lie behind the end of the data the others.
 * Returns its instructions over the mean, at least 1: over that of those looked at where they are too long to be
 * followed.
 */
static double heaviest_find(struct arena *arena, struct full_work *work, double blocks)
{
	const uint64_t last = (uint64_t)blocks - 1, places[] = {0, last, last / 2};
	const unsigned count = last < ARRAY_COUNT(places) - 1 ? (unsigned)last + 1 : ARRAY_COUNT(places);
	double own[ARRAY_COUNT(places)], sum = 0, mean = work->evaluation->warp_instructions / blocks;
	unsigned most = 0;
	bool cut = false;
	for (unsigned i = 0; i < count && last > 0; i++) {
		own[i] = block_instructions(arena, work, places[i], &cut);
		sum += own[i];
		most = own[i] > own[most] ? i : most;
	}
	mean = cut ? sum / count : mean;
	if (last == 0 || own[most] <= mean * UNEQUAL)
		return 1;
	work->first = places[most] % work->step;
	work->blocks = (last - work->first) / work->step + 1;
	work->resident = (unsigned)fmin(work->resident, (double)work->blocks);
	return own[most] / mean;
}

/*
 * How many of the first blocks work, where the others end at once; all where the last one works, or where the first
 * ones do not make up the launch: idle blocks among those that work do not show where these end.
 */
static double working_find(struct arena *arena, const struct full_work *work, double blocks)
{
	const double all = work->evaluation->warp_instructions, least = IDLE * all / blocks;
	uint64_t works = 0, idle = (uint64_t)blocks - 1;
	bool cut = false;
	if (block_instructions(arena, work, idle, &cut) >= least ||
	    block_instructions(arena, work, works, &cut) < least || cut)
		return blocks;
	while (idle - works > 1) {
		uint64_t middle = works + (idle - works) / 2;
		if (block_instructions(arena, work, middle, &cut) < least)
			idle = middle;
		else
			works = middle;
	}
	const uint64_t places[] = {0, works / 2, works};
	double mean = 0;
	for (unsigned i = 0; i < ARRAY_COUNT(places); i++)
		mean += block_instructions(arena, work, places[i], &cut) / ARRAY_COUNT(places);
	return fabs(mean * (double)idle / all - 1) <= MAKES_UP ? (double)idle : blocks;
}

/* An SM that has as many blocks as any, and not the first of them: what its own block touches must not be what all
 * begin with. */
static void sm_choose(struct full_work *work, double blocks, double most)
{
	const uint64_t sms = (uint64_t)work->machine->sms;
	work->step = most > ceil(blocks / (double)sms) ? (uint64_t)fmax(1, blocks / most) : sms;
	uint64_t rest = (uint64_t)blocks % work->step;
	work->first = (rest ? rest : work->step) / 2;
	work->blocks = (uint64_t)most;
}

/* Sectors that loads ask for, by warp instruction of the launch. */
static double sectors_each(const struct full_work *work)
{
	double sectors = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		sectors += full_loads(work, i) ? work->evaluation->insns[i].sectors : 0;
	return sectors / fmax(1, work->evaluation->warp_instructions);
}

/*
 * Warp instructions to be simulated, of blocks of so many: twice a number of generations of the blocks that are
 * resident together, so that the later half of the run holds all that a block does, its end too, as often as its
 * beginning. Where they take more than GENERATIONS_MOST, or there is one alone, the run is within the first, and the
 * longer the fewer sectors it has to look for. What is little more than that is run whole, and what is no more than
 * BUDGET_MOST: a rate found in the beginning has not yet what comes later, such as sectors that are completed when
 * others have been written.
 */
static uint64_t budget_of(const struct full_work *work, double each)
{
	double two = 2 * each * work->resident, all = each * (double)work->blocks;
	double most = (double)work->blocks > work->resident ? GENERATIONS_MOST : BUDGET_MOST;
	double budget = two > most ? BUDGET * fmax(1, LIGHTER / (1 + sectors_each(work)))
	                           : two * fmax(1, round(BUDGET / fmax(1, two)));
	return (uint64_t)(all > budget && all < fmax(BUDGET_MOST, WHOLE * budget) ? WHOLE * all : budget);
}

/* After the first part of a launch, which fetched all that it touches: the rest as a run that finds in the L2 what that
 * keeps. each: instructions of a block. Returns whether it keeps all. */
static bool warm_run(struct arena *arena, struct full_work *work, struct full_traffic *traffic, double cold,
                     double each, struct full_launch *launch)
{
	const struct full_run *first = &launch->run;
	double block_bytes =
		first->path.sectors * SECTOR_BYTES / (double)first->issued * each * work->resident * work->active;
	bool all = full_l2_reuse_shares(arena, work, block_bytes, first, traffic);
	work->warm = true;
	struct full_run warm = share_run(arena, work, 1 - cold);
	launch->cycles = cold * launch->cycles + (1 - cold) * launch->instructions / run_rate(&warm);
	launch->dram_bytes = traffic->read_bytes + (1 - cold) * fetched_bytes(work, &warm);
	insns_add(work, &launch->run, cold, launch);
	insns_add(work, &warm, 1 - cold, launch);
	launch->run = warm;
	return all;
}

/* After the first part of a launch, in which warps came to all that they come to again: the rest as a run that finds it
 * in the L1. */
static void again_run(struct arena *arena, struct full_work *work, double first, struct full_launch *launch)
{
	struct full_run rest = share_run(arena, work, 1 - first);
	launch->cycles = first * launch->cycles + (1 - first) * launch->instructions / run_rate(&rest);
	insns_add(work, &launch->run, first, launch);
	insns_add(work, &rest, 1 - first, launch);
	launch->dram_bytes = insns_fetched(work, launch);
	launch->run = rest;
}

static void launch_simulate(struct arena *arena, struct full_work *work, struct full_traffic *traffic,
                            struct full_launch *launch)
{
	const struct full_machine *machine = work->machine;
	double all = (double)work->grid[0] * work->grid[1] * work->grid[2], most = ceil(all / machine->sms);
	double blocks = most > work->resident ? working_find(arena, work, all) : all;
	if (blocks < all)
		most = fmax(ceil(blocks / machine->sms),
		            fmin(work->resident, ceil(blocks / machine->sms * machine->first_share)));
	work->active = most <= FULL_WAVES * work->resident ? blocks / most : fmin(blocks, machine->sms);
	work->resident = (unsigned)fmin(work->resident, most);
	sm_choose(work, blocks, most);
	double heavy = most <= work->resident ? heaviest_find(arena, work, blocks) : 1;
	double each = work->evaluation->warp_instructions / blocks * heavy;
	work->budget = budget_of(work, each);
	traffic->run_share = fmin(1, (double)work->budget / (each * (double)work->blocks));
	work->traffic = traffic;
	work->atomics = full_atomics_make(arena, work);
	full_traffic_make(arena, work, traffic);
	full_window_shares(arena, work, traffic);
	tracer_keep(work->tracer);
	launch->run = full_sm_run(arena, work);
	double waves = most <= FULL_WAVES * work->resident ? most : blocks / machine->sms;
	launch->instructions = each * waves;
	launch->insns = arena_array(arena, work->function->insn_count + 1, sizeof *launch->insns);
	double cold = cold_share(work, traffic, &launch->run, launch->instructions);
	bool all_kept = !(traffic->touched_bytes > machine->l2_bytes);
	launch->cycles = run_extend(&launch->run, launch->instructions);
	struct full_l1_start again = {0};
	double warps = (double)work->warps * work->resident;
	double pass = full_l1_reuse_find(arena, work, &launch->run, each, &again) * warps / launch->instructions;
	work->l1_start = pass > 0 && pass < 1 ? &again : NULL;
	cold = cold < 1 ? fmin(1, fmax(cold, pass)) : 1;
	if (!launch->run.complete && cold < 1) {
		all_kept = warm_run(arena, work, traffic, cold, each, launch);
	} else if (work->l1_start) {
		again_run(arena, work, pass, launch);
	} else {
		insns_add(work, &launch->run, 1, launch);
		launch->dram_bytes = insns_fetched(work, launch);
	}
	if (loses_step(work, &launch->run, 1))
		drift_add(arena, work, waves, launch);
	else
		launch->unsteady = loses_step(work, &launch->run, NEARLY);
	launch->cycles += launch->run.behind;
	last_blocks_add(arena, work, most, each, launch);
	launch->cycles += full_imbalance_cycles(work, launch, most, FULL_WAVES);
	if (all_kept)
		launch->dram_bytes = fmin(launch->dram_bytes, traffic->read_bytes);
	full_floors_find(work, traffic, launch);
	launch->scale = work->evaluation->warp_instructions / (double)launch->run.issued;
	launch->total = machine->start_cycles + launch->far + full_atomics_exposed(work, launch, all) +
	                fmax(fmax(launch->cycles, launch->atomics), launch->issue_floor);
	launch->seconds = machine->event_seconds + launch->total / machine->clock_hz;
}

void full_launch_run(struct arena *arena, struct full_work *work, struct full_traffic *traffic,
                     struct full_launch *launch)
{
	struct arena *room = NULL;
	work->room = &room;
	launch_simulate(arena, work, traffic, launch);
	work->l1_start = NULL;
	work->room = NULL;
	arena_release(room);
}
