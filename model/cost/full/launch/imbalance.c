/*
 * How much later the slowest SM ends than the one that was run, where blocks start all at once.
 *
 *   cycles = spread (largest(far, SMs * warps) - largest(far, warps))
 *            times min(1, idle share of DRAM / bandwidth.dram_loops_idle_share)
 *   far    waits of a warp for what DRAM answers
 *   largest(k, n)  of n sums of k exponential numbers of mean 1: Wilson, Hilferty 1931; Blom 1958
 *
 * Numbers: dram.latency_spread_cycles. Blocks that are handed out as SMs become
 * free even out, so of these the last wait alone counts.
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

/* Of the normal distribution what so small a part lies above: Abramowitz and Stegun, 26.2.23. */
static double normal_above(double part)
{
	double t = sqrt(-2 * log(part));
	return t - (2.30753 + 0.27061 * t) / (1 + 0.99229 * t + 0.04481 * t * t);
}

double full_largest_sum(double count, double n)
{
	double above = 0.625 / (n + 0.25), z = above < 0.5 ? normal_above(above) : 0;
	double root = 1 - 1 / (9 * count) + z / (3 * sqrt(count));
	return count * root * root * root;
}

/* Cycles for which warps of the launch wait for what the L1 does not have. */
static double waited_cycles(const struct full_work *work, const struct full_launch *launch)
{
	double cycles = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct full_insn_run *own = &launch->insns[i];
		cycles += own->sectors > 0 ? own->cycles * own->missed / own->sectors : 0;
	}
	return cycles;
}

double full_imbalance_cycles(const struct full_work *work, const struct full_launch *launch, double most, double waves)
{
	const struct full_machine *machine = work->machine;
	const struct full_run *run = &launch->run;
	const struct full_path_counts *path = &run->path;
	double sms = fmax(1, work->active), last = path->last > 0 && path->last + machine->dram_latency > run->cycles;
	double lives = fmax(1, most / work->resident), warps = work->resident * work->warps;
	if (most > waves * work->resident || !(path->trips > 0))
		return last * machine->dram_spread * log(sms);
	double waited = waited_cycles(work, launch) / (most * work->active * work->warps) * lives;
	double trips = waited * path->trips / path->trip_cycles, far = trips * path->far_trips / path->trips;
	double spread = far > 1 ? full_largest_sum(far, sms * warps) - full_largest_sum(far, warps)
	                        : fmax(far, last) * log(sms);
	return machine->dram_spread * spread * fmin(1, fmax(0, 1 - path->dram_busy / run->cycles) / machine->idle);
}
