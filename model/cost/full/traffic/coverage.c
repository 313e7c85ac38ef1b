/*
 * Which bytes of its buffers a launch touches: lines are looked at one by one, a sample of them where there are many.
 *
 *   bytes    = lines of the parts that footprints lie in * share of the units looked at that are touched
 *   longer   = seconds(runs of lines so far apart) / seconds(side by side)               runs.dram_*
 *
 * A footprint answers which bytes of a line it touches by going through its axes, the largest first. An instruction
 * without footprints touches as many places as it asks for, anywhere in the members that it names, or in the buffer.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINES_LOOKED_AT 2048
#define LOOKS_MOST 2000000 /* a line and a footprint at a time, in a part; chosen */
#define LINES_FEW 4096     /* all of so many are looked at */
#define WINDOW_LINES 64    /* that are looked at side by side, where addresses do not repeat sooner */
#define WINDOW_MOST 512    /* where they do */
/* gaps of so many are left out: they cost DRAM nothing more than others */
#define FAR_BYTES ((uint64_t)WINDOW_MOST * LINE_BYTES)
/* of a footprint in a line, or steps to find them; beyond, it is taken to touch all of it */
#define ELEMENTS_MOST 512
#define BLOCK_SHIFT 10 /* what may or may not be executed is so for a kilobyte at a time */

/* Bytes that an instruction touches, or may touch. */
struct piece {
	struct footprint print;
	uint64_t rest[FOOTPRINT_AXES + 1]; /* bytes from the first to the last along the axes from one on */
	unsigned flags;
	bool drawn; /* it touches some of them, here and there */
};
struct pieces {
	struct piece *list;
	size_t count;
	uint64_t first, end; /* bytes of all */
};

static bool is_same(const struct footprint *a, const struct footprint *b)
{
	bool same =
		a->base == b->base && a->bytes == b->bytes && a->weight == b->weight && a->axis_count == b->axis_count;
	for (uint32_t axis = 0; axis < a->axis_count && same; axis++)
		same = a->axes[axis].slope == b->axes[axis].slope && a->axes[axis].count == b->axes[axis].count;
	return same;
}

static void piece_add(struct arena *arena, struct pieces *pieces, const struct footprint *print, unsigned flags,
                      bool drawn)
{
	struct piece piece = {.print = *print, .flags = flags, .drawn = drawn};
	for (size_t i = 0; i < pieces->count; i++)
		if (pieces->list[i].drawn == drawn && is_same(&pieces->list[i].print, print)) {
			pieces->list[i].flags |= flags;
			return;
		}
	piece.rest[print->axis_count] = print->bytes;
	for (uint32_t axis = print->axis_count; axis-- > 0;)
		piece.rest[axis] = piece.rest[axis + 1] +
		                   (uint64_t)print->axes[axis].slope * (uint64_t)(print->axes[axis].count - 1);
	uint64_t end = print->base + piece.rest[0];
	pieces->first = !pieces->count || print->base < pieces->first ? print->base : pieces->first;
	pieces->end = end > pieces->end ? end : pieces->end;
	ARENA_PUSH(arena, pieces->list, pieces->count, piece);
}

/* ---- which bytes of a line ------------------------------------------------------------------------- */

/* A line that pieces are looked for in. */
struct look {
	uint64_t line; /* its address */
	struct full_bytes bytes;
	unsigned left; /* steps that may still be taken */
};

static void bytes_mark(struct look *look, uint64_t first, uint64_t end)
{
	first = first > look->line ? first - look->line : 0;
	end = end < look->line + LINE_BYTES ? end - look->line : LINE_BYTES;
	for (unsigned h = 0; h < 2; h++) {
		uint64_t from = first > h * 64 ? first - h * 64 : 0, to = end > h * 64 ? end - h * 64 : 0;
		if (from < 64 && to > from)
			look->bytes.half[h] |= (to < 64 ? (UINT64_C(1) << to) - 1 : UINT64_MAX) & UINT64_MAX << from;
	}
}

/* Marks what the axes from one on touch of the line, from a base. */
static void axes_look(struct look *look, const struct piece *piece, uint32_t axis, uint64_t base)
{
	const struct footprint_axis *own = &piece->print.axes[axis];
	if (axis == piece->print.axis_count) {
		bytes_mark(look, base, base + piece->print.bytes);
		return;
	}
	const uint64_t slope = (uint64_t)own->slope, reach = piece->rest[axis + 1];
	uint64_t first = look->line >= base + reach ? (look->line - base - reach) / slope + 1 : 0,
		 end = look->line + LINE_BYTES > base ? (look->line + LINE_BYTES - 1 - base) / slope + 1 : 0;
	end = end < (uint64_t)own->count ? end : (uint64_t)own->count;
	if (axis + 1 == piece->print.axis_count && slope <= piece->print.bytes && first < end) {
		bytes_mark(look, base + first * slope, base + (end - 1) * slope + piece->print.bytes);
		return;
	}
	for (; first < end && look->left; first++) {
		look->left--;
		axes_look(look, piece, axis + 1, base + first * slope);
	}
}

static struct full_bytes piece_look(const struct piece *piece, uint64_t line)
{
	struct look look = {.line = line, .left = ELEMENTS_MOST};
	const struct footprint *print = &piece->print;
	if (line + LINE_BYTES <= print->base || line >= print->base + piece->rest[0])
		return look.bytes;
	if (print->weight < 1 && content_fraction(line >> BLOCK_SHIFT ^ content_scramble(print->insn)) >= print->weight)
		return look.bytes;
	axes_look(&look, piece, 0, print->base);
	return look.left ? look.bytes : (struct full_bytes){{UINT64_MAX, UINT64_MAX}};
}

/* ---- a buffer -------------------------------------------------------------------------------------- */

/* Lines that are touched, whole ones among them, runs of them, and lines in all. */
struct runs {
	double lines, whole, count, all;
};
/* What was seen of the lines looked at, in units: by footprints alone, and with what is drawn. */
struct seen {
	double read[2], written[2], either[2], lines[2], read_lines[2], incomplete, all;
	struct runs reads, writes;
};

static uint8_t sectors_of(const struct full_bytes *bytes)
{
	uint8_t sectors = 0;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s++)
		sectors |= (uint8_t)(((uint32_t)(bytes->half[s / 2] >> s % 2 * SECTOR_BYTES) != 0) << s);
	return sectors;
}

/* Sectors of which all bytes are there. */
static uint8_t sectors_whole(const struct full_bytes *bytes)
{
	struct full_bytes missing = {{~bytes->half[0], ~bytes->half[1]}};
	return (uint8_t)(((1u << LINE_BYTES / SECTOR_BYTES) - 1) & ~sectors_of(&missing));
}

static void bytes_join(struct full_bytes *to, const struct full_bytes *from)
{
	to->half[0] |= from->half[0];
	to->half[1] |= from->half[1];
}

/* Granules that hold some of the sectors; *within: all their sectors. */
static unsigned granules_of(uint8_t sectors, unsigned sectors_each, uint8_t *within)
{
	unsigned count = 0, mask = (1u << sectors_each) - 1;
	*within = 0;
	for (unsigned s = 0; s < LINE_BYTES / SECTOR_BYTES; s += sectors_each)
		if (sectors >> s & mask) {
			*within |= (uint8_t)(mask << s);
			count++;
		}
	return count;
}

static void run_note(struct runs *runs, const struct full_bytes *bytes, bool *before)
{
	bool touched = bytes->half[0] || bytes->half[1];
	runs->all++;
	runs->lines += touched;
	runs->whole += (bytes->half[0] & bytes->half[1]) == UINT64_MAX;
	runs->count += touched && !*before;
	*before = touched;
}

static void runs_add(struct runs *to, const struct runs *from, double times)
{
	to->lines += from->lines * times;
	to->whole += from->whole * times;
	to->count += from->count * times;
	to->all += from->all * times;
}

static void seen_add(struct seen *to, const struct seen *from, double times)
{
	for (unsigned drawn = 0; drawn < 2; drawn++) {
		to->read[drawn] += from->read[drawn] * times;
		to->written[drawn] += from->written[drawn] * times;
		to->either[drawn] += from->either[drawn] * times;
		to->lines[drawn] += from->lines[drawn] * times;
		to->read_lines[drawn] += from->read_lines[drawn] * times;
	}
	to->incomplete += from->incomplete * times;
	to->all += from->all * times;
	runs_add(&to->reads, &from->reads, times);
	runs_add(&to->writes, &from->writes, times);
}

/* Whether the line before was. */
struct before {
	bool read, written;
};

static void line_look(const struct pieces *pieces, uint64_t line, unsigned granule_sectors, struct before *before,
                      struct seen *seen)
{
	struct full_bytes loaded = {{0}}, stored = {{0}};
	for (unsigned drawn = 0; drawn < 2; drawn++) {
		for (size_t i = 0; i < pieces->count; i++) {
			const struct piece *piece = &pieces->list[i];
			if (piece->drawn != drawn)
				continue;
			struct full_bytes bytes = piece_look(piece, line);
			if (piece->flags & (FLAG_LOAD | FLAG_ATOMIC))
				bytes_join(&loaded, &bytes);
			if (piece->flags & (FLAG_STORE | FLAG_ATOMIC))
				bytes_join(&stored, &bytes);
		}
		uint8_t reads = sectors_of(&loaded), writes = sectors_of(&stored), brought, any;
		seen->read[drawn] += granules_of(reads, granule_sectors, &brought);
		seen->either[drawn] += granules_of(reads | writes, granule_sectors, &any);
		seen->written[drawn] += full_sectors(writes);
		seen->lines[drawn] += (reads | writes) != 0;
		seen->read_lines[drawn] += reads != 0;
		if (drawn)
			seen->incomplete += full_sectors((uint8_t)(writes & ~sectors_whole(&stored) & ~brought));
	}
	seen->all++;
	run_note(&seen->reads, &loaded, &before->read);
	run_note(&seen->writes, &stored, &before->written);
}

/* Lines after which the addresses along as many axes as possible repeat, the smallest first. */
static uint64_t window_lines(const struct pieces *pieces)
{
	uint64_t lines = 1;
	for (uint32_t back = 1; back <= FOOTPRINT_AXES; back++)
		for (size_t i = 0; i < pieces->count; i++) {
			const struct footprint *print = &pieces->list[i].print;
			if (print->axis_count < back)
				continue;
			uint64_t slope = (uint64_t)print->axes[print->axis_count - back].slope,
				 own = slope / full_common_divisor(slope, LINE_BYTES);
			uint64_t both = lines / full_common_divisor(lines, own) * own;
			lines = both <= WINDOW_MOST ? both : lines;
		}
	return lines < WINDOW_LINES ? lines * (WINDOW_LINES / lines) : lines;
}

static uint64_t at_most(uint64_t number, uint64_t most)
{
	return number < most ? number : most;
}

/* Looks at windows of lines, spread over all of the part; what is seen stands for the part, so many times. */
static void part_look(const struct pieces *pieces, unsigned granule_sectors, double times, struct seen *seen)
{
	const uint64_t first = pieces->first / LINE_BYTES, count = (pieces->end - 1) / LINE_BYTES + 1 - first;
	const uint64_t most = LOOKS_MOST / pieces->count + 1, window = at_most(window_lines(pieces), most);
	const bool all = count <= at_most(LINES_FEW, most);
	const uint64_t windows = all ? 1 : at_most(LINES_LOOKED_AT, most) / window, length = all ? count : window,
		       spare = count - length;
	struct seen own = {.all = 0};
	for (uint64_t w = 0; w < windows; w++) {
		double at = windows > 1 ? ((double)w + content_fraction(w)) / (double)windows * (double)spare : 0;
		struct before before = {false, false};
		for (uint64_t l = first + (uint64_t)at, end = l + length; l < end; l++)
			line_look(pieces, l * LINE_BYTES, granule_sectors, &before, &own);
	}
	seen_add(seen, &own, times * (double)count / own.all);
}

/* ---- parts of a buffer ----------------------------------------------------------------------------- */

static uint64_t piece_end(const struct piece *piece)
{
	return piece->print.base + piece->rest[0];
}

static int piece_compare(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	return (x->print.base > y->print.base) - (x->print.base < y->print.base);
}

/* Whether all of a part is the same again and again along the first axis, with lines between: then pieces become those
 * of the first time. */
static bool part_fold(struct pieces *part, int64_t *count)
{
	const struct footprint_axis *first = part->list[0].print.axes;
	uint64_t begin = UINT64_MAX, end = 0;
	for (size_t i = 0; i < part->count; i++) {
		const struct piece *piece = &part->list[i];
		if (!piece->print.axis_count || piece->print.axes[0].slope != first->slope ||
		    piece->print.axes[0].count != first->count)
			return false;
		begin = piece->print.base < begin ? piece->print.base : begin;
		end = piece->print.base + piece->rest[1] > end ? piece->print.base + piece->rest[1] : end;
	}
	const uint64_t slope = (uint64_t)first->slope, length = end - begin;
	if (length + FAR_BYTES > slope)
		return false;
	*count = first->count;
	for (size_t i = 0; i < part->count; i++) {
		struct piece *piece = &part->list[i];
		piece->print.axis_count--;
		memmove(piece->print.axes, piece->print.axes + 1, piece->print.axis_count * sizeof *piece->print.axes);
		memmove(piece->rest, piece->rest + 1, (piece->print.axis_count + 1) * sizeof *piece->rest);
	}
	part->first = begin;
	part->end = end;
	return true;
}

/* Looks at parts of the pieces that no line has in common, each by itself: at the first of those that are alike. */
static void parts_look(struct pieces *pieces, unsigned granule_sectors, double times, struct seen *seen)
{
	qsort(pieces->list, pieces->count, sizeof *pieces->list, piece_compare);
	for (size_t i = 0, next; i < pieces->count; i = next) {
		uint64_t end = piece_end(&pieces->list[i]);
		int64_t alike = 1;
		for (next = i + 1; next < pieces->count && pieces->list[next].print.base < end + FAR_BYTES; next++)
			end = piece_end(&pieces->list[next]) > end ? piece_end(&pieces->list[next]) : end;
		struct pieces part = {pieces->list + i, next - i, pieces->list[i].print.base, end};
		if (part_fold(&part, &alike))
			parts_look(&part, granule_sectors, times * (double)alike, seen);
		else
			part_look(&part, granule_sectors, times, seen);
	}
}

/* ---- runs of lines --------------------------------------------------------------------------------- */

/* How much longer than side by side lines take in runs of so many. */
static double longer_of(const struct machine_table *table, double run, double apart)
{
	return table && apart > run ? fmax(1, machine_table_at(table, apart) / table->value[0]) : 1;
}

/* Between runs of 1, 2 and 4 lines the logarithm decides. Lines in part are the business of full_sparse_factor(). */
static double longer(const struct machine_table *const tables[FULL_RUNS], const struct runs *runs)
{
	if (!(runs->count > 0) || 2 * runs->whole < runs->lines)
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

/* ---- instructions ---------------------------------------------------------------------------------- */

static unsigned kinds_of(const struct full_work *work, uint32_t insn)
{
	return ptx_insn_flags(&work->function->insns[insn]) & (FLAG_LOAD | FLAG_STORE | FLAG_ATOMIC);
}

/* What an instruction without footprints may touch of its buffer: the members that its sample lies in, in all records;
 * all where there is none. */
static void drawn_add(struct arena *arena, const struct full_work *work, uint32_t insn, struct pieces *pieces)
{
	const struct insn_totals *totals = &work->evaluation->insns[insn];
	const struct memory_buffer *buffer = &work->buffers[totals->buffer];
	const uint64_t base = content_address(totals->buffer);
	const unsigned bytes = ptx_insn_access_bytes(&work->function->insns[insn]);
	struct footprint print = {.insn = insn, .weight = 1, .base = base, .axis_count = 1};
	bool any = false;
	for (unsigned p = 0; p < buffer->part_count && totals->known > 0; p++) {
		const struct buffer_part *part = &buffer->parts[p];
		bool named = false;
		for (uint32_t mask = totals->sample_mask; mask && !named; mask &= mask - 1) {
			uint64_t at = (totals->sample_address[__builtin_ctz(mask)] - base) % buffer->period;
			named = at + bytes > part->first && at < part->first + part->bytes;
		}
		any |= named;
		print.base = base + part->first;
		print.bytes = (uint32_t)part->bytes;
		print.axes[0] =
			(struct footprint_axis){(int64_t)buffer->period, (int64_t)(buffer->bytes / buffer->period)};
		if (named && print.axes[0].count > 0)
			piece_add(arena, pieces, &print, kinds_of(work, insn), true);
	}
	if (any)
		return;
	print.base = base;
	print.bytes = 1;
	print.axes[0] = (struct footprint_axis){1, (int64_t)buffer->bytes};
	piece_add(arena, pieces, &print, kinds_of(work, insn), true);
}

/* Bytes of places of which it is not known where they are: sectors of a line are neighbours as often as there is no
 * room for others, and none is asked for twice. */
static double bytes_apart(const struct insn_totals *totals, double bytes)
{
	double of_line = totals->lines > 0 ? fmax(1, totals->sectors / totals->lines) : 1, most = bytes / SECTOR_BYTES;
	return bytes == LINE_BYTES ? totals->lines * LINE_BYTES
	                           : totals->sectors * SECTOR_BYTES * fmax(1, most + 1 - of_line);
}

static bool is_global(const struct full_work *work, uint32_t insn)
{
	const struct insn_totals *totals = &work->evaluation->insns[insn];
	return totals->executions > 0 &&
	       (work->function->insns[insn].space == SPACE_GLOBAL || totals->buffer != UINT32_MAX);
}

/* What places that are asked for here and there add. */
static void apart_add(const struct full_work *work, uint32_t insn, struct full_coverage *coverage)
{
	const struct insn_totals *totals = &work->evaluation->insns[insn];
	const unsigned kinds = kinds_of(work, insn);
	double granules = bytes_apart(totals, work->machine->granule), lines = bytes_apart(totals, LINE_BYTES);
	coverage->read += kinds & (FLAG_LOAD | FLAG_ATOMIC) ? granules : 0;
	coverage->written += kinds & (FLAG_STORE | FLAG_ATOMIC) ? bytes_apart(totals, SECTOR_BYTES) : 0;
	coverage->either += granules;
	coverage->lines += lines;
	coverage->read_lines += kinds & FLAG_STORE ? 0 : lines;
}

/* The buffer's coverage, to which that of places here and there has been added. */
static void coverage_fill(const struct full_machine *machine, struct pieces *pieces, struct full_coverage *coverage)
{
	const double granule = machine->granule;
	struct seen seen = {.all = 0};
	parts_look(pieces, (unsigned)(granule / SECTOR_BYTES), 1, &seen);
	coverage->read = fmin(coverage->read + seen.read[0] * granule, seen.read[1] * granule);
	coverage->written = fmin(coverage->written + seen.written[0] * SECTOR_BYTES, seen.written[1] * SECTOR_BYTES);
	coverage->either = fmin(coverage->either + seen.either[0] * granule, seen.either[1] * granule);
	coverage->lines = fmin(coverage->lines + seen.lines[0] * LINE_BYTES, seen.lines[1] * LINE_BYTES);
	coverage->read_lines =
		fmin(coverage->read_lines + seen.read_lines[0] * LINE_BYTES, seen.read_lines[1] * LINE_BYTES);
	coverage->incomplete = seen.written[1] > 0 ? seen.incomplete / seen.written[1] : 0;
	coverage->read_longer = longer(machine->runs_read, &seen.reads);
	coverage->write_longer = longer(machine->runs_write, &seen.writes);
}

/* No more than the buffer has. */
static void coverage_limit(struct full_coverage *coverage, double bytes)
{
	coverage->read = fmin(coverage->read, bytes);
	coverage->written = fmin(coverage->written, bytes);
	coverage->either = fmin(coverage->either, bytes);
	coverage->lines = fmin(coverage->lines, bytes);
	coverage->read_lines = fmin(coverage->read_lines, bytes);
}

struct full_coverage *full_coverage_find(struct arena *arena, const struct full_work *work)
{
	const struct evaluation *evaluation = work->evaluation;
	struct full_coverage *coverage = arena_array(arena, work->buffer_count + 1, sizeof *coverage);
	struct pieces *pieces = arena_array(arena, work->buffer_count + 1, sizeof *pieces);
	unsigned buffer;
	int64_t offset;
	for (size_t i = 0; i < evaluation->footprint_count; i++) {
		const struct footprint *print = &evaluation->footprints[i];
		if (content_locate(print->base, work->buffer_count, &buffer, &offset))
			piece_add(arena, &pieces[buffer], print, kinds_of(work, print->insn), false);
	}
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		if (!kinds_of(work, i) || !is_global(work, i) || !evaluation->untracked[i])
			continue;
		buffer = full_buffer_of(work, i);
		apart_add(work, i, &coverage[buffer]);
		if (buffer < work->buffer_count && work->buffers[buffer].bytes)
			drawn_add(arena, work, i, &pieces[buffer]);
	}
	for (unsigned b = 0; b <= work->buffer_count; b++) {
		coverage[b].read_longer = coverage[b].write_longer = 1;
		if (pieces[b].count)
			coverage_fill(work->machine, &pieces[b], &coverage[b]);
		if (b < work->buffer_count && work->buffers[b].bytes)
			coverage_limit(&coverage[b], (double)work->buffers[b].bytes);
	}
	return coverage;
}
