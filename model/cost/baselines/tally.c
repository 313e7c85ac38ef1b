/*
 * What the baselines count of a launch, and what their estimates have in common.
 *
 * A request occupies the L1 for the largest of: passes through its 32 banks of 4 bytes, by the lanes' addresses of a
 * sample execution; lines over tag look-ups a cycle; bytes of its sectors over bytes a cycle. Where no address is
 * known, the last alone. Requests to shared memory take their passes; they share the data array with the L1.
 *
 * A flop is an addition or a multiplication; a fused multiply-add is two. Minimum, maximum and comparison are none.
 */
#include "model/cost/baselines/baselines.h"

#include <math.h>

/* The totals that are being made. */
struct baseline_counting {
	const struct launch_view *view;
	const struct code_view *code;
	struct baseline_tally *tally;
	double *read_sectors, *written_sectors; /* per buffer */
};

static bool is_global(const struct ptx_insn *insn, const struct insn_totals *totals)
{
	return (ptx_insn_flags(insn) & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC)) &&
	       (insn->space == SPACE_GLOBAL || totals->buffer != UINT32_MAX);
}

static double flops_of(const struct ptx_insn *insn)
{
	switch (insn->operation) {
	case OP_fma:
	case OP_mad:
		return 2;
	case OP_add:
	case OP_sub:
	case OP_mul:
		return 1;
	default:
		return 0;
	}
}

static void flops_count(struct baseline_tally *tally, const struct ptx_insn *insn, double lanes)
{
	if (ptx_insn_unit(insn) == UNIT_FP32)
		tally->flops_single += lanes * flops_of(insn);
	else if (ptx_insn_unit(insn) == UNIT_FP64)
		tally->flops_double += lanes * flops_of(insn);
}

/* Cycles that one execution occupies the L1. */
static double l1_passes(const struct machine *machine, const struct ptx_insn *insn, const struct insn_totals *totals)
{
	double bytes = totals->sectors / totals->executions * SECTOR_BYTES;
	double tags = totals->lines / totals->executions / machine->l1_tags_per_cycle.value;
	double least = fmax(bytes / machine->l1_bandwidth_bytes_per_cycle_per_sm.value, tags);
	if (totals->known <= 0 || !totals->sample_mask)
		return least;
	return fmax(least, touch_wavefronts(totals->sample_address, totals->sample_mask, ptx_insn_access_bytes(insn)));
}

/* Sectors by who owns them; of memory that no buffer owns, all count. */
static void sectors_count(struct baseline_counting *counting, const struct ptx_insn *insn,
                          const struct insn_totals *totals)
{
	unsigned flags = ptx_insn_flags(insn), buffer = totals->buffer;
	bool writes = flags & (FLAG_STORE | FLAG_ATOMIC), reads = !writes || (flags & FLAG_ATOMIC);
	bool owned = buffer < counting->view->buffer_count;
	if (writes)
		counting->tally->l2_sectors += totals->sectors;
	if (reads && owned)
		counting->read_sectors[buffer] += totals->sectors;
	if (writes && owned)
		counting->written_sectors[buffer] += totals->sectors;
	if (!owned && reads)
		counting->tally->dram_read_bytes += totals->sectors * SECTOR_BYTES;
	if (!owned && writes)
		counting->tally->dram_write_bytes += totals->sectors * SECTOR_BYTES;
}

static void request_tally(struct baseline_counting *counting, const struct ptx_insn *insn,
                          const struct insn_totals *totals)
{
	struct baseline_tally *tally = counting->tally;
	double each = totals->sectors / totals->executions;
	enum coalescing class =
		cost_coalescing_of(totals->sample_address, totals->sample_mask, ptx_insn_access_bytes(insn), each);
	bool coalesced = totals->known > 0 && (class == COALESCED || class == BROADCAST);
	*(coalesced ? &tally->coalesced : &tally->uncoalesced) += totals->executions;
	*(coalesced ? &tally->coalesced_sectors : &tally->uncoalesced_sectors) += totals->sectors;
	tally->l1_cycles += totals->executions * l1_passes(counting->view->machine, insn, totals);
	sectors_count(counting, insn, totals);
}

static void insn_count(struct baseline_counting *counting, size_t index)
{
	const struct ptx_insn *insn = &counting->code->function->insns[index];
	const struct insn_totals *totals = &counting->code->evaluation->insns[index];
	counting->tally->units[ptx_insn_unit(insn)] += totals->executions;
	if (totals->executions <= 0)
		return;
	flops_count(counting->tally, insn, totals->lanes);
	counting->tally->l1_cycles += totals->wavefronts;
	if (ptx_insn_flags(insn) & FLAG_BARRIER)
		counting->tally->barriers += totals->executions;
	if (is_global(insn, totals))
		request_tally(counting, insn, totals);
}

/* Bytes of a buffer that its sectors are at most. */
static double buffer_bytes(const struct memory_buffer *buffer, double sectors)
{
	double held = ceil((double)buffer->bytes / SECTOR_BYTES) * SECTOR_BYTES;
	return buffer->bytes ? fmin(sectors * SECTOR_BYTES, held) : sectors * SECTOR_BYTES;
}

static void buffers_count(struct baseline_counting *counting)
{
	struct baseline_tally *tally = counting->tally;
	for (unsigned b = 0; b < counting->view->buffer_count; b++) {
		tally->dram_read_bytes += buffer_bytes(&counting->view->buffers[b], counting->read_sectors[b]);
		tally->dram_write_bytes += buffer_bytes(&counting->view->buffers[b], counting->written_sectors[b]);
	}
	tally->l2_sectors += tally->dram_read_bytes / SECTOR_BYTES;
}

struct baseline_tally baseline_tally_of(struct arena *arena, const struct launch_view *view)
{
	struct baseline_tally tally = {.warps = cost_launch_warps(view->launch)};
	struct baseline_counting counting = {.view = view, .code = cost_executed_code(view), .tally = &tally};
	counting.read_sectors = arena_array(arena, view->buffer_count + 1, sizeof *counting.read_sectors);
	counting.written_sectors = arena_array(arena, view->buffer_count + 1, sizeof *counting.written_sectors);
	tally.instructions = counting.code->evaluation->warp_instructions;
	for (size_t i = 0; i < counting.code->function->insn_count; i++)
		insn_count(&counting, i);
	buffers_count(&counting);
	return tally;
}

/* ---- estimates ------------------------------------------------------------------------- */

double baseline_dram_seconds(const struct machine *machine, const struct baseline_tally *tally)
{
	return tally->dram_read_bytes / machine->dram_read_bandwidth_bytes_per_second.value +
	       tally->dram_write_bytes / machine->dram_write_bandwidth_bytes_per_second.value;
}

static void accesses_fill(struct arena *arena, const struct launch_view *view, double warps, struct estimate *estimate)
{
	const struct code_match *match = code_match_source(arena, view);
	for (size_t i = 0; i < view->ptx.function->insn_count; i++) {
		const struct insn_totals *totals = &view->ptx.evaluation->insns[i];
		if (totals->executions <= 0 || !is_global(&view->ptx.function->insns[i], totals))
			continue;
		struct access_estimate access = cost_access_of(view, &view->ptx, match, (uint32_t)i);
		access.executions = totals->executions / warps;
		access.hit_rate = NAN;
		access.cycles = access.executions * l1_passes(view->machine, &view->ptx.function->insns[i], totals);
		cost_access_add(arena, estimate, &access);
	}
}

struct estimate *baseline_estimate_make(struct arena *arena, const struct launch_view *view,
                                        const struct baseline_tally *tally)
{
	struct estimate *estimate = arena_alloc(arena, sizeof *estimate);
	estimate->counts = cost_counts(view);
	estimate->registers = view->resources ? view->resources->registers : 0;
	estimate->occupancy = cost_occupancy(view->machine, view->launch, estimate->registers,
	                                     view->launch->kernel->shared_bytes + view->launch->dynamic_shared_bytes);
	accesses_fill(arena, view, tally->warps, estimate);
	cost_assumptions_note(arena, view, &view->ptx, estimate);
	return estimate;
}

void baseline_time_by_limits(const struct launch_view *view, struct estimate *estimate)
{
	const struct machine *machine = view->machine;
	double most = 0;
	estimate->bound = "launch";
	for (unsigned l = 0; l < estimate->limit_count; l++)
		if (estimate->limits[l].cycles > most) {
			most = estimate->limits[l].cycles;
			estimate->bound = estimate->limits[l].name;
		}
	estimate->time_seconds = most / machine->sm_clock_hz.value + machine->launch_overhead_seconds.value;
	estimate->cycles_per_warp = cost_warp_cycles(view, estimate->time_seconds);
}
