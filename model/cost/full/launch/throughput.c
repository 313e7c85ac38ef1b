/*
 * The least that a launch takes, and all that is known of it without machine code.
 *
 *   issue floor = warp instructions / (SMs at work * schedulers)
 *   DRAM floor  = bytes read and written / the best rate that was measured
 *   bound       = max(issue floor, uneven blocks counted; DRAM floor; LSU; L2; atomics;
 *                     a latency of DRAM for each wave of blocks)
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

void full_floors_find(const struct full_work *work, const struct full_traffic *traffic, struct full_launch *launch)
{
	const struct full_machine *machine = work->machine;
	launch->issue_floor = work->evaluation->warp_instructions / (work->active * machine->schedulers);
	launch->dram_floor = (traffic->read_bytes + traffic->written_bytes) / machine->dram_most;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		double cycles = 0;
		launch->far += work->atomics[i].far;
		for (uint32_t k = i; work->atomics[i].server == i && k < work->function->insn_count; k++)
			if (work->atomics[k].cycles > 0 && work->atomics[k].server == i)
				cycles += work->atomics[k].cycles * work->evaluation->insns[k].lanes;
		if (cycles <= launch->atomics)
			continue;
		launch->atomics = cycles;
		launch->spread = work->atomics[i].spread;
		launch->awaited = work->function->insns[i].operation != OP_red;
	}
}

/* What the LSU of one SM needs for its part of the requests, all hits. */
static double lsu_cycles(const struct full_work *work)
{
	double cycles = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct insn_totals *totals = &work->evaluation->insns[i];
		if (!(totals->lines + totals->wavefronts > 0))
			continue;
		double lines = fmin(WARP_LANES, totals->lines / fmax(1, totals->executions));
		cycles += totals->wavefronts + totals->executions * work->machine->tag_cycles[(unsigned)ceil(lines)];
	}
	return cycles / work->active;
}

static double l2_cycles(const struct full_work *work)
{
	double sectors = 0, lines = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		sectors += work->evaluation->insns[i].sectors;
		lines += work->evaluation->insns[i].lines;
	}
	return fmax(sectors * work->machine->l2_sector, lines * work->machine->l2_line) / work->machine->sms;
}

void full_launch_bound(struct arena *arena, struct full_work *work, struct full_traffic *traffic,
                       struct full_launch *launch)
{
	const struct full_machine *machine = work->machine;
	double blocks = (double)work->grid[0] * work->grid[1] * work->grid[2], most = ceil(blocks / machine->sms);
	work->active = fmin(blocks, machine->sms);
	work->resident = (unsigned)fmin(work->resident, most);
	work->atomics = full_atomics_make(arena, work);
	full_traffic_make(arena, work, traffic);
	full_floors_find(work, traffic, launch);
	launch->run.lsu_busy = lsu_cycles(work);
	launch->run.path.l2_busy = l2_cycles(work);
	double uneven = most * work->active / blocks, chain = ceil(most / work->resident) * machine->dram_latency;
	launch->cycles = fmax(fmax(launch->issue_floor * uneven, launch->dram_floor),
	                      fmax(launch->run.lsu_busy, launch->run.path.l2_busy));
	launch->cycles = fmax(launch->cycles, fmax(launch->atomics, chain));
	launch->run.cycles = launch->cycles;
	launch->total = machine->start_cycles + launch->cycles;
	launch->seconds = machine->event_seconds + launch->total / machine->clock_hz;
}
