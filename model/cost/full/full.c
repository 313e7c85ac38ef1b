/*
 * The full model's estimate of a launch. docs/full-model.md draws the way.
 *
 *   work_fill()        the GPU's numbers, resident blocks, room in the L1, state of the L2
 *   result_simulate()  the launch, by launch/launch.c; without machine code full_launch_bound()
 *   limits_set()       busy cycles of each part, extended to the launch; latency is the time
 *                      itself, and bounds where no part was busy for SATURATED of it
 *   counts_set()       what Nsight Compute would count
 * The interval is wide, and stays so without machine code; trust_times() replaces that of a launch
 * that was simulated.
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/run.h"
#include "model/cost/full/residency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SATURATED 0.75   /* a part busy for that share of the time is what limits */
#define WORTH_SAYING 1.1 /* gain of keeping warps in step */
#define WIDE_LOW 0.4     /* factors on a time that nothing simulated: assumed */
#define WIDE_HIGH 2.5

static void limit_set(struct estimate *estimate, const char *name, double cycles)
{
	estimate->limits[estimate->limit_count++] = (struct limit){name, cycles};
}

static double issue_busy(const struct full_run *run, unsigned schedulers)
{
	double busy = (double)run->issued / schedulers;
	for (unsigned p = 0; p < FULL_PIPES; p++)
		if (p != FULL_LSU && p != FULL_GLOBAL)
			busy = fmax(busy, run->pipe_busy[p] / schedulers);
	return busy;
}

static double l2_busy(const struct full_work *work, const struct full_run *run)
{
	double stores = run->stores.flits * work->machine->l2_store_flit * work->active / work->machine->sms;
	return fmax(fmax(run->path.l2_busy, run->path.port_busy), stores);
}

static void bound_set(double total, struct estimate *estimate)
{
	const struct limit *most = &estimate->limits[0];
	for (unsigned i = 1; i < estimate->limit_count; i++)
		if (strcmp(estimate->limits[i].name, "latency") != 0 && estimate->limits[i].cycles > most->cycles)
			most = &estimate->limits[i];
	bool saturated = most->cycles > SATURATED * total || strcmp(most->name, "launch") == 0;
	estimate->bound = saturated ? most->name : "latency";
}

/* DRAM's, of the launch: as a run that is cut short may have fetched what all of it comes to again, no more than goes
 * with what the launch fetches. */
static double dram_busy(const struct full_work *work, const struct full_launch *launch, double share)
{
	const struct full_path_counts *path = &launch->run.path;
	double extended = path->dram_bytes * work->active * share;
	return path->dram_busy * share * (extended > launch->dram_bytes ? launch->dram_bytes / extended : 1);
}

/* Part by part what a run was busy with, extended to the launch; as a run may begin with more of it than follows, no
 * longer than the launch takes. */
static void limits_set(const struct full_work *work, const struct full_launch *launch, struct estimate *estimate)
{
	const struct full_run *run = &launch->run;
	double share = launch->cycles / fmax(1, run->cycles), whole = launch->total;
	estimate->limit_count = 0;
	limit_set(estimate, "issue",
	          fmax(launch->issue_floor, fmin(whole, issue_busy(run, work->machine->schedulers) * share)));
	limit_set(estimate, "l1", fmin(whole, fmax(0, run->lsu_busy - run->shared_busy) * share));
	limit_set(estimate, "l2", fmin(whole, l2_busy(work, run) * share));
	limit_set(estimate, "dram", fmin(whole, fmax(launch->dram_floor, dram_busy(work, launch, share))));
	limit_set(estimate, "latency", launch->cycles);
	limit_set(estimate, "shared", fmin(whole, run->shared_busy * share));
	limit_set(estimate, "atomics", launch->atomics + launch->far);
	limit_set(estimate, "launch",
	          work->machine->start_cycles + work->machine->event_seconds * work->machine->clock_hz);
	bound_set(launch->total, estimate);
}

/* Cycles that a warp waits for the loads of an access's line, and their share of hits, from the machine instructions of
 * that line. */
static void access_set(const struct code_view *code, const struct full_launch *launch, struct access_estimate *access,
                       double alike)
{
	double sectors = 0, missed = 0, cycles = 0;
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		const struct full_insn_run *run = &launch->insns[i];
		if (code_place_in(code, i, access->place.file).line != access->place.line)
			continue;
		sectors += run->sectors;
		missed += run->missed;
		cycles += run->cycles;
	}
	access->cycles = cycles / code->evaluation->warps / alike;
	access->hit_rate = sectors > 0 ? 1 - missed / sectors : NAN;
}

static void accesses_set(const struct code_view *code, const struct full_launch *launch, struct estimate *estimate)
{
	for (unsigned a = 0; a < estimate->access_count; a++) {
		struct access_estimate *access = &estimate->accesses[a];
		double alike = 0;
		for (unsigned b = 0; b < estimate->access_count; b++)
			alike += estimate->accesses[b].place.line == access->place.line &&
			         estimate->accesses[b].kind == ACCESS_LOAD;
		if (access->kind == ACCESS_LOAD)
			access_set(code, launch, access, alike);
		else
			access->cycles = 0;
	}
}

static void insns_set(struct arena *arena, const struct full_work *work, const struct full_launch *launch,
                      struct estimate *estimate)
{
	struct insn_cost *insns = arena_array(arena, work->function->insn_count + 1, sizeof *insns);
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct full_insn_run *run = &launch->insns[i];
		insns[i] = (struct insn_cost){.loaded = run->sectors,
		                              .missed = run->missed,
		                              .far = fmin(run->far, run->missed),
		                              .waited = run->cycles,
		                              .source = run->source};
		memcpy(insns[i].stalls, run->stalls, sizeof insns[i].stalls);
	}
	estimate->insns = insns;
}

/* What is supposed of a line holds for its memory instructions, by the machine code. */
static const uint8_t *supposed_make(struct arena *arena, const struct launch_view *input, const struct full_work *work)
{
	uint8_t *supposed = arena_array(arena, work->function->insn_count + 1, sizeof *supposed);
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		if (code_place(input, &input->machine_code, i).line == input->supposed->line)
			supposed[i] = (uint8_t)(1 + input->supposed->kind);
	return supposed;
}

/* Whether a note that begins "line 9:" or "lines 9, 10:" is of that line. */
static bool is_note_of(const char *note, unsigned line)
{
	const char *at = strncmp(note, "line ", 5) == 0 ? note + 5 : strncmp(note, "lines ", 6) == 0 ? note + 6 : NULL;
	while (at && *at >= '0' && *at <= '9') {
		char *end;
		if ((unsigned)strtoul(at, &end, 10) == line)
			return true;
		at = strncmp(end, ", ", 2) == 0 ? end + 2 : NULL;
	}
	return false;
}

static bool line_is_noted(const struct estimate *estimate, unsigned line)
{
	for (unsigned n = 0; n < estimate->note_count; n++)
		if (is_note_of(estimate->notes[n], line))
			return true;
	return false;
}

/* What the evaluation assumed, and, of other lines, addresses that it does not know. */
static void assumptions_note(struct arena *arena, const struct launch_view *input, struct estimate *estimate)
{
	const struct code_view *code = cost_executed_code(input);
	cost_assumptions_note(arena, input, code, estimate);
	for (uint32_t i = 0; i < code->function->insn_count; i++) {
		const struct insn_totals *totals = &code->evaluation->insns[i];
		unsigned line = code_place(input, code, i).line;
		bool access = ptx_insn_flags(&code->function->insns[i]) & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
		if (access && totals->executions > 0 && totals->sectors > 0 && !(totals->known > 0) &&
		    !line_is_noted(estimate, line))
			cost_note(arena, estimate,
			          arena_printf(arena,
			                       "line %u: where its addresses begin is not known: taken to be anywhere, "
			                       "for each "
			                       "warp; check it "
			                       "with compare --ncu",
			                       line));
	}
}

/* Bytes of the variable in constant memory that an instruction numbers; infinitely many where it is not known. */
static double table_bytes(const struct full_work *work, const struct ptx_insn *insn)
{
	const char *symbol = insn->operand_count > 1 ? insn->operands[1].symbol : NULL;
	const struct ptx_variable *variable = symbol ? ptx_variable_find(work->input->module, NULL, symbol) : NULL;
	return variable ? (double)variable->count : INFINITY;
}

/* Words of constant memory that a register numbers: those of a large table are not in the nearest cache by themselves.
 */
static void constants_note(struct arena *arena, const struct launch_view *input, const struct full_work *work,
                           struct estimate *estimate)
{
	const char *text =
		"words of constant memory by number are taken to be in the nearest cache: where warps are at "
		"different places of a table that this cannot hold, the kernel may take a multiple of this time: "
		"measure it before relying on it";
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct ptx_insn *insn = &work->function->insns[i];
		const struct sass_control *control = &work->function->sass->control[i];
		double room = control->uniform ? work->machine->uniform_room : work->machine->constant_room;
		if (!control->numbered || insn->synthetic || !(work->evaluation->insns[i].issued > 0) ||
		    table_bytes(work, insn) <= room)
			continue;
		estimate->unsteady = true;
		cost_note(
			arena, estimate,
			arena_printf(arena, "line %u: %s", code_place(input, cost_executed_code(input), i).line, text));
	}
}

/* What loads on their way cost that an SM cannot hold. */
static void notes_add(struct arena *arena, const struct full_work *work, const struct full_launch *launch,
                      struct estimate *estimate)
{
	double gain = launch->lockstep_cycles > 0 ? launch->cycles / launch->lockstep_cycles : 1;
	double held = work->machine->loads_in_flight / (work->resident * work->warps);
	const char *text = "each warp has some %.0f loads on their way at a time; beyond %.0f for each of its %u warps "
			   "an SM stalls, and "
			   "warps of a block lose step: use a smaller unroll factor, fewer resident blocks or a "
			   "barrier in the loop for "
			   "up to %.2g times the speed";
	estimate->unsteady = launch->unsteady;
	if (launch->unsteady)
		cost_note(arena, estimate,
		          "loads in flight fill the SM, and DRAM or the LSU is nearly saturated: warps of a block may "
		          "lose step, "
		          "and take a multiple of this time: measure it before relying on it");
	if (gain > WORTH_SAYING)
		cost_note(arena, estimate,
		          arena_printf(arena, text, ceil(launch->run.open / launch->run.open_time), floor(held),
		                       work->resident * work->warps, gain));
}

/* Arrays that instructions of such kinds come to. */
static unsigned arrays_count(const struct ptx_function *function, const struct evaluation *evaluation,
                             unsigned buffer_count, unsigned kinds)
{
	unsigned count = 0;
	for (unsigned b = 0; b < buffer_count; b++) {
		bool used = false;
		for (uint32_t i = 0; i < function->insn_count; i++)
			used |= evaluation->insns[i].executions > 0 && evaluation->insns[i].buffer == b &&
			        (ptx_insn_flags(&function->insns[i]) & kinds);
		count += used;
	}
	return count;
}

/* What the simulation of a launch came to, which holds for all that do the same. */
struct full_result {
	struct full_launch launch;
	double written_bytes, left_bytes, open_bytes, active;
	double crossing; /* share of what DRAM gives that the other half of the L2 is asked for */
	unsigned resident;
	uint64_t simulated; /* warp instructions, of all its runs */
};

/* Share of each buffer's lines that the L2 still holds after its reuse distance; of unknown memory none. */
static const double *held_make(struct arena *arena, const struct launch_view *input, const struct full_machine *machine)
{
	double *held = arena_array(arena, input->buffer_count + 1, sizeof *held);
	for (unsigned b = 0; b < input->buffer_count; b++)
		held[b] = full_residency_held(machine, input->start->reuse[b].loaded, input->start->reuse[b].stored);
	return held;
}

/* Returns whether there is machine code to be simulated. */
static bool work_fill(struct arena *arena, const struct launch_view *input, struct full_machine *machine,
                      struct full_work *work)
{
	bool simulated = input->machine_code.input && input->machine_code.input->function->sass;
	const struct evaluate_input *code = input->machine_code.input;
	uint64_t shared = input->launch->kernel->shared_bytes + input->launch->dynamic_shared_bytes;
	const uint32_t *block = input->launch->block;
	unsigned threads = block[0] * block[1] * block[2],
		 registers = input->resources ? input->resources->registers : 0;
	if (!registers && simulated)
		registers = code->function->sass->register_count;
	unsigned resident = cost_blocks_per_sm(input->machine, threads, registers, shared);
	const struct ptx_function *function = simulated ? code->function : input->ptx.function;
	const struct evaluation *evaluation = simulated ? input->machine_code.evaluation : input->ptx.evaluation;
	const unsigned read = arrays_count(function, evaluation, input->buffer_count, FLAG_LOAD | FLAG_ATOMIC),
		       written = arrays_count(function, evaluation, input->buffer_count, FLAG_STORE | FLAG_ATOMIC);
	const struct full_streams streams = {(double)resident * threads, read > written ? read : written};
	full_machine_read(input->machine, &streams, machine);
	*work = (struct full_work){.machine = machine,
	                           .function = function,
	                           .input = simulated ? code : input->ptx.input,
	                           .evaluation = evaluation,
	                           .buffers = input->buffers,
	                           .buffer_count = input->buffer_count,
	                           .warps = (threads + WARP_LANES - 1) / WARP_LANES,
	                           .resident = resident};
	memcpy(work->grid, input->launch->grid, sizeof work->grid);
	work->shared_bytes = shared;
	double lines;
	work->l1_bytes = full_l1_bytes(machine, input->machine, threads, registers, shared, &lines);
	machine->loads_in_flight = fmin(machine->loads_in_flight, lines);
	if (input->supposed && simulated)
		work->supposed = supposed_make(arena, input, work);
	if (input->start) {
		work->held = held_make(arena, input, machine);
		machine->event_seconds = machine->record_seconds;
		machine->dirty_found = fmin(1, input->start->dirty_bytes / machine->dirty_bytes);
	}
	return simulated;
}

/* Half of the lines lie far from an SM: so it crosses, and always where SMs of both sides ask. */
static double crossing_find(const struct full_work *work, const struct full_traffic *traffic,
                            const struct full_launch *launch)
{
	double crossed = 0, far = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		crossed += launch->insns[i].far * (1 + traffic->shares[0][i].both) / 2;
		far += launch->insns[i].far;
	}
	return far > 0 ? crossed / far : 0.5;
}

/* Simulates the launch. */
static void result_simulate(struct arena *arena, struct arena *scratch, struct full_work *work,
                            struct full_result *result)
{
	struct full_traffic traffic = {0};
	size_t insns = work->function->insn_count;
	work->code = full_code_make(scratch, work->machine, work->function);
	work->simulated = &result->simulated;
	full_launch_run(scratch, work, &traffic, &result->launch);
	struct full_insn_run *kept = arena_array(arena, insns + 1, sizeof *kept);
	memcpy(kept, result->launch.insns, insns * sizeof *kept);
	result->launch.insns = kept;
	result->launch.run.insns = NULL;
	result->written_bytes = traffic.written_bytes;
	result->crossing = crossing_find(work, &traffic, &result->launch);
	result->left_bytes = traffic.left_bytes;
	result->open_bytes = traffic.open_bytes;
}

/* Of a launch that does the same, or else of the launch itself. */
static const struct full_result *result_of(struct arena *arena, struct arena *scratch, const struct launch_view *input,
                                           struct full_work *work, bool simulated)
{
	if (input->alike && !input->supposed && input->alike->simulated)
		return input->alike->simulated;
	struct full_result *result = arena_alloc(arena, sizeof *result);
	struct full_traffic traffic = {0};
	work->tracer = tracer_make(scratch, work->input);
	if (simulated)
		result_simulate(arena, scratch, work, result);
	else
		full_launch_bound(scratch, work, &traffic, &result->launch);
	result->active = work->active;
	result->resident = work->resident;
	return result;
}

/* Sectors of a launch's loads: asked of the L1; not there. */
struct loaded {
	double asked, missed, sent; /* sent: to the L2 */
};

/*
 * Each load's own sectors, as often as the launch executes it, hit as often as they did in the run: what a run is cut
 * short of would count its beginning too often. Loads that did not come into the run hit as often as all of it.
 */
static struct loaded loaded_find(const struct full_work *work, const struct full_launch *launch)
{
	struct loaded sum = {0}, other = {0};
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct full_insn_run *run = &launch->insns[i];
		double sectors = full_loads(work, i) ? work->evaluation->insns[i].sectors : 0;
		bool ran = run->sectors > 0;
		sum.asked += ran ? sectors : 0;
		sum.missed += ran ? sectors * run->missed / run->sectors : 0;
		sum.sent += ran ? sectors * run->sent / run->sectors : 0;
		other.asked += ran ? 0 : sectors;
	}
	double more = sum.asked > 0 ? (sum.asked + other.asked) / sum.asked : 1;
	return (struct loaded){sum.asked * more, fmin(sum.missed, sum.asked) * more, fmin(sum.sent, sum.asked) * more};
}

static double atomic_sectors(const struct full_work *work)
{
	double sectors = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++)
		if (ptx_insn_flags(&work->function->insns[i]) & FLAG_ATOMIC &&
		    work->function->insns[i].space == SPACE_GLOBAL)
			sectors += work->evaluation->insns[i].sectors;
	return sectors;
}

/* How often the parts of the L2 look up a sector that is written: once, and again where it lies in another part than
 * the SM. */
static double written_passes(const struct full_machine *machine)
{
	return 2 - machine->l2_reach / machine->l2_bytes;
}

/*
 * What stores to local memory write to DRAM. Threads that follow each other on an SM have the same addresses. Where the
 * L2 can keep dirty what all resident threads store, they overwrite it there; else each line is written before its
 * place is stored to again, and the last of them stay in the L2.
 */
static double local_written(const struct full_work *work, const struct counts *counts)
{
	double threads = work->evaluation->warps * WARP_LANES, stored = counts->local_st_sectors * SECTOR_BYTES;
	double each = threads > 0 ? fmin(stored / threads, (double)work->function->local_bytes) : 0;
	double resident = fmin(threads, (double)work->resident * work->warps * WARP_LANES * work->machine->sms);
	return resident * each > work->machine->dirty_bytes ? fmax(0, threads * each - work->machine->dirty_bytes) : 0;
}

/*
 * As Nsight Compute counts: sectors of stores hit the L1 where it has them, or they were stored to before; reads of the
 * L2 are what the SMs send, what crosses between its halves again, and what a launch reads by itself. The L2 misses
 * sectors that a request asks for of what DRAM gives then; others of the same granule, asked for later, are there.
 * Sectors written and added to cross between the halves as often as they lie far; those that are completed by reading
 * are written once more (benchmarks/operands/several.cu: 0.8 to 1.0 for each).
 */
static void counts_set(const struct full_work *work, const struct full_result *result, struct counts *counts)
{
	const struct full_run *run = &result->launch.run;
	struct loaded loaded = loaded_find(work, &result->launch);
	double stored = counts->st_sectors + counts->local_st_sectors;
	double stores = run->stored_sectors > 0 ? stored / run->stored_sectors : 0, asked = loaded.asked + stored;
	double dram = result->launch.dram_bytes;
	double from_dram = run->path.dram_bytes > 0 ? dram * run->path.dram_sectors / run->path.dram_bytes : 0;
	double filled = fmax(0, fmin(run->lacking_bytes * stores, result->written_bytes) - result->open_bytes);
	double missed = loaded.missed + stores * (run->stored_sectors - run->stored_hits);
	counts->l1_hit_rate = asked > 0 ? fmax(0, 1 - missed / asked) : 0;
	double crossed = dram / SECTOR_BYTES * result->crossing, passes = written_passes(work->machine);
	counts->l2_read_sectors = loaded.sent + crossed + work->machine->launch_sectors;
	counts->l2_write_sectors =
		passes * (stores > 0 ? stores * run->stores.sectors : stored) + filled / SECTOR_BYTES;
	double looked_up = counts->l2_read_sectors + counts->l2_write_sectors + passes * atomic_sectors(work);
	counts->l2_hit_rate = fmax(0, 1 - (fmin(loaded.missed, from_dram) + crossed) / looked_up);
	counts->dram_read_bytes = dram + filled;
	counts->dram_write_bytes = result->written_bytes + local_written(work, counts);
	counts->l2_dirty_bytes = result->left_bytes;
}

struct estimate *full_estimate(struct arena *arena, const struct launch_view *input)
{
	struct estimate *estimate = cost_thesis(arena, input);
	struct arena *scratch = arena_create();
	struct full_machine machine;
	struct full_work work;
	estimate->note_count = 0;
	assumptions_note(arena, input, estimate);
	bool simulated = work_fill(scratch, input, &machine, &work);
	if (work.resident) {
		const struct full_result *result = result_of(arena, scratch, input, &work, simulated);
		const struct full_launch *launch = &result->launch;
		work.active = result->active;
		work.resident = result->resident;
		estimate->time_seconds = launch->seconds;
		estimate->cycles_per_warp = launch->cycles;
		estimate->limits = arena_array(arena, 8, sizeof *estimate->limits);
		estimate->limit_count = 0;
		limits_set(&work, launch, estimate);
		estimate->low = WIDE_LOW;
		estimate->high = WIDE_HIGH;
		if (simulated) {
			estimate->simulated = result;
			estimate->work =
				input->alike && input->alike->simulated == result ? 0 : (double)result->simulated;
			counts_set(&work, result, &estimate->counts);
			accesses_set(&input->machine_code, launch, estimate);
			insns_set(arena, &work, launch, estimate);
			notes_add(arena, &work, launch, estimate);
			constants_note(arena, input, &work, estimate);
		} else {
			cost_note(arena, estimate,
			          "there is no machine code: the time is that of the throughput limits alone, within a "
			          "wide "
			          "interval; predict without --ptx and --no-machine-code for a narrow one");
		}
	}
	arena_release(scratch);
	return estimate;
}
