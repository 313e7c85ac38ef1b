/*
 * Which part of an array of records a launch touches at all: the members that its instructions name, in the unit that memory is moved in.
 *
 *   share = units that hold a byte of such a member / units, over the least common multiple of the array's period and the unit
 *
 * The period is that of the record, or of a tile of records. Assumed: a member that is touched is touched in every record; an instruction touches the members of its
 * sample execution, all that do not lie in the array's parts, or at unknown addresses, touch all.
 */
#include "model/cost/full/traffic/traffic.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Marks the parts that an instruction's lanes lie in; false where some lie in none. */
static bool parts_mark(const struct memory_buffer *buffer, unsigned number, const struct insn_totals *totals, unsigned bytes,
                       bool *named)
{
	bool all = totals->sample_mask != 0;
	for (uint32_t mask = totals->sample_mask; mask; mask &= mask - 1) {
		uint64_t first = (totals->sample_address[__builtin_ctz(mask)] - content_address(number)) % buffer->period;
		bool found = false;
		for (unsigned p = 0; p < buffer->part_count; p++) {
			const struct buffer_part *part = &buffer->parts[p];
			if (first + bytes <= part->first || first >= part->first + part->bytes)
				continue;
			named[p] = found = true;
		}
		all &= found;
	}
	return all;
}

/* The share of units that hold a byte of a part that is named. */
static double units_share(struct arena *arena, const struct memory_buffer *buffer, const bool *named, uint64_t unit)
{
	uint64_t periods = unit / common_divisor(buffer->period, unit), units = buffer->period * periods / unit, count = 0;
	bool *held = arena_array(arena, units + 1, sizeof *held);
	for (uint64_t k = 0; k < periods; k++)
		for (unsigned p = 0; p < buffer->part_count; p++) {
			uint64_t first = k * buffer->period + buffer->parts[p].first;
			for (uint64_t u = first / unit; named[p] && u <= (first + buffer->parts[p].bytes - 1) / unit; u++)
				held[u] = true;
		}
	for (uint64_t u = 0; u < units; u++)
		count += held[u];
	return (double)count / (double)units;
}

double full_members_share(struct arena *arena, const struct full_work *work, unsigned buffer, unsigned kinds, double unit)
{
	const struct memory_buffer *own = &work->buffers[buffer];
	bool *named = arena_array(arena, own->part_count + 1, sizeof *named), any = false;
	for (uint32_t i = 0; i < work->function->insn_count && own->part_count; i++) {
		const struct insn_totals *totals = &work->evaluation->insns[i];
		bool elsewhere = totals->buffer != buffer && (totals->buffer < work->buffer_count || work->function->insns[i].space != SPACE_GLOBAL);
		if (elsewhere || !(totals->executions > 0) || !(ptx_insn_flags(&work->function->insns[i]) & kinds))
			continue;
		any = true;
		if (totals->buffer != buffer || !(totals->known > 0) || !parts_mark(own, buffer, totals, ptx_insn_access_bytes(&work->function->insns[i]), named))
			return 1;
	}
	return any ? units_share(arena, own, named, (uint64_t)unit) : 1;
}
