/*
 * Which part of an array of records a launch touches: the members that its instructions name.
 *
 *   share  = units that hold a byte of such a member / units, over lcm(period of the array, unit)
 *   longer = seconds(runs of lines so far apart) / seconds(side by side)               runs.dram_*
 *
 * longer is the one place where gaps between lines, and so opened rows, cost DRAM time. Between
 * runs of 1, 2 and 4 lines the logarithm decides. Assumed: a member that is touched is touched in
 * every record; an instruction whose sample lies in no member touches all.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

/* Marks the parts that an instruction's lanes lie in; false where some lie in none. */
static bool parts_mark(const struct memory_buffer *buffer, unsigned number, const struct insn_totals *totals, unsigned bytes,
                       bool *named)
{
	bool all = totals->sample_mask != 0;
	uint64_t marked = UINT64_MAX;
	for (uint32_t mask = totals->sample_mask; mask && all; mask &= mask - 1) {
		uint64_t first = (totals->sample_address[__builtin_ctz(mask)] - content_address(number)) % buffer->period;
		bool found = first == marked;
		for (unsigned p = 0; p < buffer->part_count && first != marked; p++) {
			const struct buffer_part *part = &buffer->parts[p];
			if (first + bytes <= part->first || first >= part->first + part->bytes)
				continue;
			named[p] = found = true;
		}
		all = found;
		marked = first;
	}
	return all;
}

/* The units that hold a byte of a part that is named, of all in `*units`. */
static const bool *units_held(struct arena *arena, const struct memory_buffer *buffer, const bool *named, uint64_t unit,
                              uint64_t *units)
{
	uint64_t periods = unit / full_common_divisor(buffer->period, unit);
	*units = buffer->period * periods / unit;
	bool *held = arena_array(arena, *units + 1, sizeof *held);
	for (uint64_t k = 0; k < periods; k++)
		for (unsigned p = 0; p < buffer->part_count; p++) {
			uint64_t first = k * buffer->period + buffer->parts[p].first;
			for (uint64_t u = first / unit; named[p] && u <= (first + buffer->parts[p].bytes - 1) / unit; u++)
				held[u] = true;
		}
	return held;
}

/* Marks the parts that instructions of these kinds name; false where none does, or it is not known which. */
static bool members_named(const struct full_work *work, unsigned buffer, unsigned kinds, bool *named)
{
	const struct memory_buffer *own = &work->buffers[buffer];
	bool any = false;
	for (uint32_t i = 0; i < work->function->insn_count && own->part_count; i++) {
		const struct ptx_insn *insn = &work->function->insns[i];
		const struct insn_totals *totals = &work->evaluation->insns[i];
		bool elsewhere = totals->buffer != buffer && (totals->buffer < work->buffer_count || insn->space != SPACE_GLOBAL);
		if (elsewhere || !(totals->executions > 0) || !(ptx_insn_flags(insn) & kinds))
			continue;
		any = true;
		if (totals->buffer != buffer || !(totals->known > 0) ||
		    !parts_mark(own, buffer, totals, ptx_insn_access_bytes(insn), named))
			return false;
	}
	return any;
}

double full_members_share(struct arena *arena, const struct full_work *work, unsigned buffer, unsigned kinds, double unit)
{
	const struct memory_buffer *own = &work->buffers[buffer];
	bool *named = arena_array(arena, own->part_count + 1, sizeof *named);
	if (!members_named(work, buffer, kinds, named))
		return 1;
	uint64_t units, count = 0;
	const bool *held = units_held(arena, own, named, (uint64_t)unit, &units);
	for (uint64_t u = 0; u < units; u++)
		count += held[u];
	return (double)count / (double)units;
}

/* Sectors that a part covers, of which each counts its bytes. */
static void bytes_add(const struct buffer_part *part, uint64_t first, uint16_t *bytes)
{
	for (uint64_t at = first; at < first + part->bytes;) {
		uint64_t end = (at / SECTOR_BYTES + 1) * SECTOR_BYTES;
		end = end < first + part->bytes ? end : first + part->bytes;
		bytes[at / SECTOR_BYTES] = (uint16_t)(bytes[at / SECTOR_BYTES] + end - at);
		at = end;
	}
}

double full_members_incomplete(struct arena *arena, const struct full_work *work, unsigned buffer)
{
	const struct memory_buffer *own = &work->buffers[buffer];
	const uint64_t granule = (uint64_t)work->machine->granule;
	bool *stored = arena_array(arena, own->part_count + 1, sizeof *stored),
	     *loaded = arena_array(arena, own->part_count + 1, sizeof *loaded);
	uint64_t granules, written = 0, incomplete = 0;
	bool reads = members_named(work, buffer, FLAG_LOAD | FLAG_ATOMIC, loaded);
	if (!members_named(work, buffer, FLAG_STORE, stored))
		return 0;
	const bool *held = units_held(arena, own, loaded, granule, &granules);
	uint64_t sectors = granules * granule / SECTOR_BYTES;
	uint16_t *bytes = arena_array(arena, sectors + 1, sizeof *bytes);
	for (uint64_t first = 0; first < sectors * SECTOR_BYTES; first += own->period)
		for (unsigned p = 0; p < own->part_count; p++)
			if (stored[p])
				bytes_add(&own->parts[p], first + own->parts[p].first, bytes);
	for (uint64_t s = 0; s < sectors; s++) {
		written += bytes[s] > 0;
		incomplete += bytes[s] > 0 && bytes[s] < SECTOR_BYTES && !(reads && held[s * SECTOR_BYTES / granule]);
	}
	return written ? (double)incomplete / (double)written : 0;
}

/* ---- runs of lines -------------------------------------------------------------------------------- */

/* Lines that are touched, and how many runs of them there are, of so many. */
struct runs {
	double lines, count, all;
};

static struct runs runs_count(const bool *held, uint64_t lines)
{
	struct runs runs = {.all = (double)lines};
	for (uint64_t l = 0; l < lines; l++) {
		runs.lines += held[l];
		runs.count += held[l] && !held[(l + lines - 1) % lines];
	}
	return runs;
}

/* How much longer than side by side lines take in runs of so many. */
static double longer_of(const struct machine_table *table, double run, double apart)
{
	return table && apart > run ? fmax(1, machine_table_at(table, apart) / table->value[0]) : 1;
}

static double longer(const struct machine_table *const tables[FULL_RUNS], const struct runs *runs)
{
	if (!(runs->count > 0))
		return 1;
	double run = runs->lines / runs->count, apart = runs->all / runs->count, most = 1u << (FULL_RUNS - 1);
	if (run >= most)
		return 1 + (longer_of(tables[FULL_RUNS - 1], most, apart * most / run) - 1) * most / run;
	unsigned class = run >= 2 ? 1 : 0;
	double part = log2(run) - class, own = longer_of(tables[class], run, apart);
	return own + part * (longer_of(tables[class + 1], run, apart) - own);
}

double full_line_longer(const struct full_machine *machine)
{
	return longer_of(machine->runs_write[0], 1, INFINITY);
}

double full_runs_longer(struct arena *arena, const struct full_work *work, unsigned buffer, unsigned kinds)
{
	const struct memory_buffer *own = &work->buffers[buffer];
	bool *named = arena_array(arena, own->part_count + 1, sizeof *named);
	if (!members_named(work, buffer, kinds, named))
		return 1;
	uint64_t lines, least = UINT64_MAX;
	for (unsigned p = 0; p < own->part_count; p++)
		if (named[p] && own->parts[p].bytes < least)
			least = own->parts[p].bytes;
	if (least < LINE_BYTES)
		return 1;
	const bool *held = units_held(arena, own, named, LINE_BYTES, &lines);
	struct runs runs = runs_count(held, lines);
	return longer(kinds & FLAG_LOAD ? work->machine->runs_read : work->machine->runs_write, &runs);
}
