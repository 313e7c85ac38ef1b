/*
 * Hong and Kim: An analytical model for a GPU architecture with memory-level and thread-level parallelism awareness,
 * ISCA 2009. N: active warps per SM.
 *
 *   Mem_L_uncoal   = Mem_LD + (transactions - 1) * departure_uncoal                                      (10)
 *   Mem_L          = Mem_L_uncoal * w + Mem_LD * (1 - w)          w: share of uncoalesced memory instructions   (12)
 *   departure      = departure_uncoal * transactions * w + departure_coal * (1 - w)                       (15)
 *   MWP_without_BW = min(Mem_L / departure, N)                                                             (16, 17)
 *   MWP_peak_BW    = B / (BW_per_warp * active SMs)               BW_per_warp = load bytes / Mem_L          (6, 7)
 *   MWP            = min(MWP_without_BW, MWP_peak_BW, N)                                                   (5)
 *   Mem            = Mem_L_uncoal * uncoalesced + Mem_LD * coalesced    of a warp                           (18)
 *   Comp           = issue cycles * instructions of a warp                                                 (19)
 *   CWP            = min((Mem + Comp) / Comp, N)                                                           (8, 9)
 *   Rep            = blocks / (active blocks per SM * active SMs)                                          (21)
 *   cycles = (Mem + Comp + Comp / mem_insts * (MWP - 1)) * Rep              MWP = CWP = N                    (22)
 *            (Mem * N / MWP + Comp / mem_insts * (MWP - 1)) * Rep           else CWP >= MWP or Comp > Mem    (23)
 *            (Mem_L + Comp * N) * Rep                                       else                             (24)
 *   + departure * (MWP - 1) * barriers * active blocks per SM * Rep                                        (25)
 *
 * Their machine had no cache: every access goes to DRAM, and takes its latency. Their departure delays were measured on
 * it; here they are the cycles in which an SM gets a line (coalesced) or a sector (each transaction of an uncoalesced
 * one) at the L2's bandwidth. An instruction issues in 1 / (schedulers * instructions a cycle). A warp without memory
 * instructions computes alone: Comp * N * Rep. N and the SMs are those that the grid fills.
 */
#include "model/cost/baselines/baselines.h"

#include <math.h>

/* Equations 22 to 24. */
static double warps_cycles(const struct baseline_hong_kim *model, double memory_latency, double memory,
                           double computing, double mwp)
{
	double n = model->active_warps, insts = model->coalesced + model->uncoalesced;
	double cwp = fmin((memory + computing) / computing, n);
	if (mwp >= n && cwp >= n)
		return memory + computing + computing / insts * (mwp - 1);
	if (cwp >= mwp || computing > memory)
		return memory * n / mwp + computing / insts * (mwp - 1);
	return memory_latency + computing * n;
}

double baseline_hong_kim_cycles(const struct baseline_hong_kim *model)
{
	double n = model->active_warps, insts = model->coalesced + model->uncoalesced;
	double repetitions = fmax(1, model->blocks / (model->active_blocks * model->active_sms));
	double computing = model->issue_cycles * model->instructions;
	if (insts <= 0)
		return computing * n * repetitions;
	double share = model->uncoalesced / insts;
	double uncoalesced_latency =
		model->memory_latency + fmax(0, model->transactions - 1) * model->departure_uncoalesced;
	double latency = uncoalesced_latency * share + model->memory_latency * (1 - share);
	double departure =
		model->departure_uncoalesced * model->transactions * share + model->departure_coalesced * (1 - share);
	double warp_bandwidth = model->load_bytes / latency;
	double mwp = fmin(fmin(latency / departure, n), model->bytes_per_cycle / (warp_bandwidth * model->active_sms));
	double memory = uncoalesced_latency * model->uncoalesced + model->memory_latency * model->coalesced;
	mwp = fmax(1, mwp);
	return (warps_cycles(model, latency, memory, computing, mwp) +
	        departure * (mwp - 1) * model->barriers * model->active_blocks) *
	       repetitions;
}

/* The machine's side. */
static void machine_fill(const struct machine *machine, struct baseline_hong_kim *model)
{
	double l2_bytes_per_cycle =
		machine->l2_bandwidth_bytes_per_second.value / (machine->sm_clock_hz.value * machine->sm_count.value);
	model->issue_cycles = 1 / (machine->sm_schedulers.value * machine->sm_issue_per_scheduler.value);
	model->memory_latency = machine->dram_latency_cycles.value;
	model->departure_coalesced = LINE_BYTES / l2_bytes_per_cycle;
	model->departure_uncoalesced = SECTOR_BYTES / l2_bytes_per_cycle;
	model->bytes_per_cycle = machine->dram_bandwidth_bytes_per_second.value / machine->sm_clock_hz.value;
}

/* The launch's side: blocks that are active together, and what a warp executes. */
static void launch_fill(const struct launch_view *view, const struct baseline_tally *tally,
                        struct baseline_hong_kim *model)
{
	const struct launch_case *launch = view->launch;
	unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
	unsigned registers = view->resources ? view->resources->registers : 0;
	double resident = cost_blocks_per_sm(view->machine, threads, registers,
	                                     launch->kernel->shared_bytes + launch->dynamic_shared_bytes);
	model->blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
	model->active_sms = fmin(view->machine->sm_count.value, model->blocks);
	model->active_blocks = fmin(resident, ceil(model->blocks / model->active_sms));
	model->active_warps = model->active_blocks * ceil(threads / (double)WARP_LANES);
	model->instructions = tally->instructions / tally->warps;
	model->coalesced = tally->coalesced / tally->warps;
	model->uncoalesced = tally->uncoalesced / tally->warps;
	model->transactions = tally->uncoalesced > 0 ? tally->uncoalesced_sectors / tally->uncoalesced : 1;
	double requests = tally->coalesced + tally->uncoalesced;
	model->load_bytes =
		requests > 0 ? (tally->coalesced_sectors + tally->uncoalesced_sectors) / requests * SECTOR_BYTES : 0;
	model->barriers = tally->barriers / tally->warps;
}

struct estimate *baseline_hong_kim(struct arena *arena, const struct launch_view *view)
{
	struct baseline_tally tally = baseline_tally_of(arena, view);
	struct estimate *estimate = baseline_estimate_make(arena, view, &tally);
	struct baseline_hong_kim model = {0};
	machine_fill(view->machine, &model);
	launch_fill(view, &tally, &model);
	cost_limit_add(arena, estimate, "warps", baseline_hong_kim_cycles(&model));
	baseline_time_by_limits(view, estimate);
	return estimate;
}
