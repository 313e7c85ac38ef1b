/*
 * What each instruction touches of memory first, in sectors, granules or lines.
 *
 *   fresh = units of all executions * share of the sample's units that no other touches
 *
 * The executions that are samples are compared within a basic block. full_members_share() and the
 * extent of the buffer limit what other warps' neighbours count twice.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

#define SHARED_WITHIN 256u /* instructions: how far apart those of one record stand */

struct full_reach *full_reaches_find(struct arena *arena, const struct full_work *work)
{
	struct full_reach *reaches = arena_array(arena, work->function->insn_count + 1, sizeof *reaches);
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		const struct insn_totals *totals = &work->evaluation->insns[i];
		reaches[i].first = UINT64_MAX;
		for (uint32_t mask = totals->sample_mask; mask; mask &= mask - 1) {
			uint64_t address = totals->sample_address[__builtin_ctz(mask)];
			reaches[i].first = address < reaches[i].first ? address : reaches[i].first;
			reaches[i].last = address > reaches[i].last ? address : reaches[i].last;
		}
	}
	return reaches;
}

/* Whether one of the lanes below `end` of the sample execution touches that unit of memory. */
static bool touches(const struct insn_totals *totals, uint64_t unit, uint64_t bytes, unsigned end)
{
	for (unsigned lane = 0; lane < end; lane++)
		if (totals->sample_mask >> lane & 1 && totals->sample_address[lane] / bytes == unit)
			return true;
	return false;
}

/* Whether one of the instructions before, to the block's first, touches that unit of the same buffer; kinds: and which of those they have to be, as the instruction is. */
static bool touched_before(const struct full_work *work, const struct full_reach *reaches, uint32_t first, uint32_t insn,
                           unsigned kinds, uint64_t unit, uint64_t bytes)
{
	const struct insn_totals *own = &work->evaluation->insns[insn];
	const unsigned kind = ptx_insn_flags(&work->function->insns[insn]) & kinds;
	for (uint32_t i = insn > first + SHARED_WITHIN ? insn - SHARED_WITHIN : first; i < insn; i++) {
		const struct insn_totals *totals = &work->evaluation->insns[i];
		if (!totals->sample_mask || unit < reaches[i].first / bytes || unit > reaches[i].last / bytes)
			continue;
		if ((ptx_insn_flags(&work->function->insns[i]) & kinds) == kind && totals->buffer == own->buffer &&
		    totals->executions == own->executions && touches(totals, unit, bytes, WARP_LANES))
			return true;
	}
	return false;
}

/* Units of so many bytes that the sample execution of an instruction touches, and none before it in its basic block. */
static unsigned units_fresh(const struct full_work *work, const struct full_reach *reaches, uint32_t first, uint32_t insn,
                            unsigned kinds, uint64_t bytes)
{
	const struct insn_totals *own = &work->evaluation->insns[insn];
	unsigned fresh = 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t unit = own->sample_address[lane] / bytes;
		if (own->sample_mask >> lane & 1 && !touches(own, unit, bytes, lane))
			fresh += !touched_before(work, reaches, first, insn, kinds, unit, bytes);
	}
	return fresh;
}

/* Where it is not known which: sectors of a line are neighbours as often as there is no room for others, and no execution meets another. */
static double bytes_apart(const struct insn_totals *totals, uint64_t bytes)
{
	double of_line = totals->lines > 0 ? fmax(1, totals->sectors / totals->lines) : 1, most = (double)bytes / SECTOR_BYTES;
	return bytes == LINE_BYTES ? totals->lines * LINE_BYTES : totals->sectors * SECTOR_BYTES * fmax(1, most + 1 - of_line);
}

double full_bytes_fresh(const struct full_work *work, const struct full_reach *reaches, uint32_t first, uint32_t insn,
                        unsigned kinds, uint64_t bytes)
{
	const struct insn_totals *own = &work->evaluation->insns[insn];
	unsigned sectors = 0;
	bool known = own->buffer != UINT32_MAX && own->known > 0 && own->sample_mask;
	if (!known || ptx_insn_flags(&work->function->insns[insn]) & FLAG_ATOMIC)
		return bytes_apart(own, bytes);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		sectors +=
			own->sample_mask >> lane & 1 && !touches(own, own->sample_address[lane] / SECTOR_BYTES, SECTOR_BYTES, lane);
	return own->sectors * (double)bytes * units_fresh(work, reaches, first, insn, kinds, bytes) / sectors;
}
