/*
 * Atomics on global memory, by contention.
 *
 *   cycles of a lane = clock / rate(bins)
 *
 * rate: additions a second of all SMs on so many neighbouring bins at random (bins.*; one bin where all lanes meet at one address): lines are what
 * serialises, so the bins are those that the buffer has room for, and instructions on one buffer share its rate. Instructions that go to one address
 * each share a server where the addresses lie in one line. Without the tables: one line works at the rate of one address, lines side by side
 * up to atomics.red_u32_line_per_lane.
 */
#include "model/cost/full/full.h"

#include <math.h>

static bool is_atomic(const struct full_work *work, uint32_t insn)
{
	const struct ptx_insn *code = &work->function->insns[insn];
	return !code->synthetic && ptx_insn_flags(code) & FLAG_ATOMIC && code->space != SPACE_SHARED &&
	       work->evaluation->insns[insn].executions > 0;
}

/* One address for all lanes of all warps, as far as the sample says. */
static bool meets(const struct insn_totals *totals)
{
	return totals->known > 0.5 && totals->addresses <= totals->executions;
}

static double buffer_bytes(const struct full_work *work, const struct insn_totals *totals)
{
	return totals->buffer < work->buffer_count ? (double)work->buffers[totals->buffer].bytes : 0;
}

static double rate_of(const struct full_work *work, uint32_t insn)
{
	const struct full_machine *machine = work->machine;
	const struct insn_totals *totals = &work->evaluation->insns[insn];
	enum ptx_type type = (enum ptx_type)work->function->insns[insn].type;
	unsigned kind = !ptx_type_is_float(type) ? 0 : ptx_type_bytes(type) > 4 ? 2 : 1;
	double bytes = buffer_bytes(work, totals), bins = meets(totals) ? 1 : bytes > 0 ? bytes / (kind == 2 ? 8 : 4) : 1048576;
	if (machine->bins[kind])
		return machine_table_at(machine->bins[kind], bins) / machine->clock_hz;
	double same = kind ? machine->atomic_float_same : machine->atomic_same;
	return fmin(same * fmax(1, bins * 4 / LINE_BYTES), machine->atomic_line);
}

static uint64_t place_of(const struct insn_totals *totals)
{
	unsigned lane = totals->sample_mask ? (unsigned)__builtin_ctz(totals->sample_mask) : 0;
	return meets(totals) ? totals->sample_address[lane] / LINE_BYTES : totals->buffer;
}

struct full_atomic *full_atomics_make(struct arena *arena, const struct full_work *work)
{
	struct full_atomic *atomics = arena_array(arena, work->function->insn_count + 1, sizeof *atomics);
	const struct evaluation *evaluation = work->evaluation;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		uint32_t first = 0;
		if (!is_atomic(work, i))
			continue;
		atomics[i].cycles = 1 / rate_of(work, i);
		while (first < i &&
		       !(atomics[first].cycles > 0 && place_of(&evaluation->insns[first]) == place_of(&evaluation->insns[i])))
			first++;
		atomics[i].server = first;
	}
	return atomics;
}
