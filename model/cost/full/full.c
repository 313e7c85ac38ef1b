/*
 * The full model: the time of a launch, from the machine code that it runs.
 *
 *   time = event overhead + start + max(T(one SM), atomics, floors)                                   launch.c
 *   T    = what resident warps need on one SM: stalls, scoreboards, pipes, queues, barriers           sm.c, code.c
 *          with memory at LSU passes (request.c), L1 (l1.c), store buffer (store.c), L2 and DRAM      memory.c
 *          shared with SMs that do the same (window.c, dram.c)
 *
 * Limits: how busy each part was in the simulation, times T; latency: T itself, where no part was.
 */
#include "model/cost/full/full.h"

#include <math.h>
#include <string.h>

#define SATURATED 0.75 /* a part busy for that share of the time is what limits */

static double l1_bytes(const struct full_machine *machine, const struct machine *numbers, unsigned resident, uint64_t shared)
{
	double used = resident * ((double)shared + numbers->sm_shared_memory_reserved_per_block_bytes.value);
	double spare = machine->l1_size - machine->l1_bytes;
	return fmax(LINE_BYTES * 64.0, machine->l1_bytes - fmax(0, used - spare));
}

static void limit_set(struct estimate *estimate, const char *name, double cycles)
{
	estimate->limits[estimate->limit_count++] = (struct limit){name, cycles};
}

static void limits_set(const struct full_work *work, const struct full_launch *launch, struct estimate *estimate)
{
	const struct full_run *run = &launch->run;
	double share = launch->cycles / fmax(1, run->cycles), issue = (double)run->issued / work->machine->schedulers;
	for (unsigned p = 0; p < FULL_PIPES; p++)
		issue = fmax(issue, run->pipe_busy[p] / (p == FULL_LSU ? INFINITY : work->machine->schedulers));
	limit_set(estimate, "issue", fmax(launch->issue_floor, issue * share));
	limit_set(estimate, "l1", (run->lsu_busy - run->shared_busy) * share);
	limit_set(estimate, "shared", run->shared_busy * share);
	limit_set(estimate, "l2",
	          fmax(fmax(run->path.l2_busy, run->path.port_busy),
	               run->stores.flits * work->machine->l2_store_flit * work->active / work->machine->sms) *
	                  share);
	limit_set(estimate, "dram", fmax(launch->dram_floor, run->path.dram_busy * share));
	limit_set(estimate, "atomics", launch->atomics);
	limit_set(estimate, "launch", work->machine->start_cycles + work->machine->event_seconds * work->machine->clock_hz);
	limit_set(estimate, "latency", launch->cycles);
	const struct limit *most = &estimate->limits[0];
	for (unsigned i = 1; i + 1 < estimate->limit_count; i++)
		if (estimate->limits[i].cycles > most->cycles)
			most = &estimate->limits[i];
	bool saturated = most->cycles > SATURATED * launch->total;
	estimate->bound = saturated || strcmp(most->name, "launch") == 0 ? most->name : "latency";
}

static void counts_set(const struct full_launch *launch, const struct full_traffic *traffic, struct counts *counts)
{
	const struct full_run *run = &launch->run;
	double scale = launch->scale, missed = run->missed_sectors * scale, dram = run->path.dram_bytes * scale;
	double from_dram = missed > 0 ? fmin(1, dram / SECTOR_BYTES / missed) : 0;
	counts->l1_hit_rate = run->global_sectors > 0 ? 1 - run->missed_sectors / run->global_sectors : 0;
	counts->l2_read_sectors = missed * (1 + 0.5 * from_dram);
	counts->l2_write_sectors = 1.5 * run->stores.sectors * scale;
	counts->l2_hit_rate = missed > 0 ? 1 - from_dram : 1;
	counts->dram_read_bytes = dram;
	counts->dram_write_bytes = fmax(0, traffic->written_bytes);
}

static void work_fill(struct arena *arena, const struct launch_view *input, struct full_machine *machine, struct full_work *work)
{
	const struct evaluate_input *code = input->machine_code.input;
	uint64_t shared = input->launch->kernel->shared_bytes + input->launch->dynamic_shared_bytes;
	unsigned threads = code->block[0] * code->block[1] * code->block[2];
	unsigned registers = input->resources ? input->resources->registers : code->function->sass->register_count;
	unsigned resident = cost_blocks_per_sm(input->machine, threads, registers, shared);
	full_machine_read(input->machine, (double)resident * threads, machine);
	*work = (struct full_work){.machine = machine,
	                           .function = code->function,
	                           .input = code,
	                           .evaluation = input->machine_code.evaluation,
	                           .buffers = code->buffers,
	                           .buffer_count = code->buffer_count,
	                           .warps = (threads + WARP_LANES - 1) / WARP_LANES,
	                           .resident = resident};
	memcpy(work->grid, code->grid, sizeof work->grid);
	work->l1_bytes = l1_bytes(machine, input->machine, work->resident, shared);
	work->code = full_code_make(arena, machine, code->function);
	work->tracer = tracer_make(arena, code);
}

#include <stdlib.h>
#include <time.h>
static const char *code_name(const struct launch_view *input)
{
	return input->ptx.function->name;
}
struct estimate *full_estimate(struct arena *arena, const struct launch_view *input)
{
	struct estimate *estimate = cost_thesis(arena, input);
	struct arena *scratch = arena_create();
	clock_t begin = clock(); /*DEBUG*/
	struct full_machine machine;
	struct full_work work;
	struct full_traffic traffic = {0};
	struct full_launch launch = {0};
	if (input->machine_code.input && input->machine_code.input->function->sass) {
		work_fill(scratch, input, &machine, &work);
		if (work.resident) {
			full_launch_run(scratch, &work, &traffic, &launch);
			estimate->time_seconds = launch.seconds;
			estimate->cycles_per_warp = launch.cycles;
			estimate->limits = arena_array(arena, 8, sizeof *estimate->limits);
			limits_set(&work, &launch, estimate);
			counts_set(&launch, &traffic, &estimate->counts);
			if (getenv("FULL_DEBUG")) { /*DEBUG*/
				const struct full_run *r = &launch.run;
				fprintf(stderr,
				        "DBG open %.1f x %.0f blocked %.2f %s %.3f %s res %u blocks %g run %.0f cyc issued %llu "
				        "fin %llu %s total %.0f | ipc %.2f | util lsu %.2f sh %.2f port %.2f l2 %.2f dram %.2f st "
				        "%.2f fma %.2f alu %.2f heavy %.2f xu %.2f | waits issue %.2f stall %.2f sb %.2f mem %.2f "
				        "pipe %.2f queue %.2f bar %.2f | hit %.3f | floor i %.0f d %.0f at %.0f | touched %.3g r "
				        "%.3g w %.3g dram %.3g\n",
				        r->open / r->open_time, (double)work.resident * work.warps, r->blocked / r->loads,
				        code_name(input), launch.seconds * 1e6, estimate->bound, work.resident,
				        work.evaluation->warps / work.warps, r->cycles, (unsigned long long)r->issued,
				        (unsigned long long)r->finished, r->complete ? "done" : "cut", launch.total,
				        r->issued / r->cycles, r->lsu_busy / r->cycles, r->shared_busy / r->cycles,
				        r->path.port_busy / r->cycles, r->path.l2_busy / r->cycles, r->path.dram_busy / r->cycles,
				        r->stores.flits * machine.l2_store_flit * work.active / machine.sms / r->cycles,
				        r->pipe_busy[0] / 4 / r->cycles, r->pipe_busy[2] / 4 / r->cycles,
				        r->pipe_busy[1] / 4 / r->cycles, r->pipe_busy[4] / 4 / r->cycles, r->waits[0] / r->issued,
				        r->waits[1] / r->issued, r->waits[2] / r->issued, r->waits[3] / r->issued,
				        r->waits[4] / r->issued, r->waits[5] / r->issued, r->waits[6] / r->issued,
				        1 - r->missed_sectors / r->global_sectors, launch.issue_floor, launch.dram_floor,
				        launch.atomics, traffic.touched_bytes, traffic.read_bytes, traffic.written_bytes,
				        estimate->counts.dram_read_bytes);
				for (uint32_t i = 0; i < work.function->insn_count; i++)
					if (traffic.shares[0][i].samples)
						fprintf(stderr, "   share %u %s: %.2f %.2f | %.2f %.2f (%u)\n", i,
						        work.function->insns[i].spelling, traffic.shares[0][i].first,
						        traffic.shares[0][i].wait, traffic.shares[1][i].first,
						        traffic.shares[1][i].wait, traffic.shares[0][i].samples);
			}
		}
	}
	if (getenv("FULL_TIME"))
		fprintf(stderr, "TIME %.2f ms, %.1f MB %s\n", (double)(clock() - begin) * 1e3 / CLOCKS_PER_SEC,
		        arena_bytes(scratch) / 1e6, input->ptx.function->name); /*DEBUG*/
	arena_release(scratch);
	return estimate;
}
