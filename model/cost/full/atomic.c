/*
 * Atomics on global memory, by contention.
 *
 *   passes of a request = sum over its 32-byte sectors of the lanes that the word most asked for gets
 *   cycles of all       = passes / min(rate(lines), rate of one address x addresses)
 *
 * The L2 adds to each word of a sector once a pass, and passes on few lines wait for each other. rate: passes a second of all SMs on so many lines,
 * bins.u32_128_bytes_apart, where each lane is a pass. The same two numbers explain the other tables (u32, GPasses/s at 1, 2, 4, 8, 16, 32, 128 lines: 1.4, 1.4,
 * 2.4 to 2.9, 2.6, 5.3, 10.5, 34, whether words lie 4, 32 or 128 bytes apart) and additions of neighbouring words (atomics.red_u32_neighbouring_words: 4 passes a warp,
 * 118 GPasses/s). Additions of real numbers to one address are slower (atomics.red_f32_same_address).
 *
 * Neighbouring lines share a slice of the L2, four of them (hot.load_word): lines that lie apart are as fast as four times as many that lie side by side.
 *
 * lines, addresses: the effective number, N (N - 1) / sum of n (n - 1) over pairs of passes of different warps, unbiased for a sample of warps; a sample
 * without a pair on one line says that there are many. Atomics that hand back the old value are slower by atomics.atom_u32_line_per_lane over red_u32.
 *
 * Assumes that warps are anywhere in the launch: all instructions and all warps of the sample are pooled.
 */
#include "model/cost/full/run.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLE_WARPS 64     /* of the launch, at even distances */
#define SAMPLE_LEAST 8      /* where the way to the first atomic is long */
#define SAMPLE_LENGTH 2048  /* events of all of them, if all are like the first */
#define SAMPLE_REQUESTS 4   /* of a warp */
#define SAMPLE_EVENTS 20000 /* of a warp at most, on the way to them */
#define SAMPLE_ROOM ((size_t)SAMPLE_WARPS * SAMPLE_REQUESTS * WARP_LANES)
#define SLICE_LINES                                                                                                                \
	4 /* neighbouring lines that one slice of the L2 serves: hot.load_word, 16 lines four times as fast as one or two */
#define MANY 65536.0 /* lines beyond which the rate grows no more */

/* Passes, or lanes, that go to one place, by one warp. */
struct visit {
	uint64_t place;
	uint32_t warp;
	double weight;
};

struct atomic_sample {
	struct visit *lines, *addresses;
	size_t line_count, address_count;
	double *passes, *lanes; /* by instruction */
	uint64_t draw;
};

static bool is_atomic(const struct full_work *work, uint32_t insn)
{
	const struct ptx_insn *code = &work->function->insns[insn];

	return !code->synthetic && ptx_insn_flags(code) & FLAG_ATOMIC && code->space != SPACE_SHARED &&
	       work->evaluation->insns[insn].executions > 0;
}

/* ---- what a sample of warps does ------------------------------------------------------ */

/* Lane addresses; those not known are drawn from the buffer that they lie in. */
static void lanes_of(const struct full_work *work, const struct trace_event *event, uint64_t draw, uint64_t address[WARP_LANES])
{
	unsigned buffer = 0;
	int64_t offset;
	uint64_t places = UINT64_C(1) << 20;

	trace_lanes(event, address);
	if (event->address == TRACE_KNOWN)
		return;
	if (content_locate(full_first_address(event), work->buffer_count, &buffer, &offset) &&
	    work->buffers[buffer].bytes >= event->bytes)
		places = work->buffers[buffer].bytes / event->bytes;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = content_address(buffer) + content_scramble(draw * WARP_LANES + lane) % places * event->bytes;
}

/* Lanes from `lane` on that ask for the same word as it. */
static unsigned lanes_at(const uint64_t address[WARP_LANES], uint32_t mask, unsigned lane)
{
	unsigned count = 0;

	for (unsigned other = lane; other < WARP_LANES; other++)
		count += mask >> other & 1 && address[other] == address[lane];
	return count;
}

/* Whether an earlier lane lies in the same piece of memory. */
static bool lane_repeats(const uint64_t address[WARP_LANES], uint32_t mask, unsigned lane, unsigned bytes)
{
	for (unsigned other = 0; other < lane; other++)
		if (mask >> other & 1 && address[other] / bytes == address[lane] / bytes)
			return true;
	return false;
}

/* Passes of the sector that the lane is the first in. */
static unsigned sector_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned lane)
{
	unsigned most = 0;

	for (unsigned other = lane; other < WARP_LANES; other++)
		if (mask >> other & 1 && address[other] / SECTOR_BYTES == address[lane] / SECTOR_BYTES) {
			unsigned count = lanes_at(address, mask, other);

			most = count > most ? count : most;
		}
	return most;
}

static void request_add(struct atomic_sample *sample, const struct full_work *work, const struct trace_event *event, uint32_t warp)
{
	uint64_t address[WARP_LANES];

	lanes_of(work, event, sample->draw++, address);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(event->mask >> lane & 1))
			continue;
		sample->lanes[event->insn]++;
		if (!lane_repeats(address, event->mask, lane, 1))
			sample->addresses[sample->address_count++] =
				(struct visit){address[lane], warp, lanes_at(address, event->mask, lane)};
		if (lane_repeats(address, event->mask, lane, SECTOR_BYTES))
			continue;
		double passes = sector_passes(address, event->mask, lane);
		sample->passes[event->insn] += passes;
		sample->lines[sample->line_count++] = (struct visit){address[lane] / LINE_BYTES, warp, passes};
	}
}

/* Returns how many events it took. */
static unsigned warp_sample(struct atomic_sample *sample, const struct full_work *work, uint64_t number)
{
	uint64_t block = number / work->warps;
	const uint32_t at[3] = {(uint32_t)(block % work->grid[0]), (uint32_t)(block / work->grid[0] % work->grid[1]),
	                        (uint32_t)(block / work->grid[0] / work->grid[1])};
	struct trace *trace = trace_open(work->tracer, at, (uint32_t)(number % work->warps));
	struct trace_event event;
	unsigned requests = 0, events = 0;

	for (; events < SAMPLE_EVENTS && requests < SAMPLE_REQUESTS && trace_next(trace, &event); events++)
		if (event.kind == TRACE_REQUEST && event.mask && event.space == SPACE_GLOBAL && is_atomic(work, event.insn)) {
			request_add(sample, work, &event, (uint32_t)number);
			requests++;
		}
	trace_close(trace);
	return events;
}

static void sample_make(struct arena *arena, const struct full_work *work, struct atomic_sample *sample)
{
	uint64_t warps = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2] * work->warps;
	uint64_t count = warps < SAMPLE_WARPS ? warps : SAMPLE_WARPS, fitting;

	sample->lines = arena_array(arena, SAMPLE_ROOM, sizeof *sample->lines);
	sample->addresses = arena_array(arena, SAMPLE_ROOM, sizeof *sample->addresses);
	sample->passes = arena_array(arena, work->function->insn_count + 1, sizeof *sample->passes);
	sample->lanes = arena_array(arena, work->function->insn_count + 1, sizeof *sample->lanes);
	fitting = SAMPLE_LENGTH / (warp_sample(sample, work, 0) + 1);
	if (fitting < count)
		count = fitting > SAMPLE_LEAST ? fitting : count < SAMPLE_LEAST ? count : SAMPLE_LEAST;
	for (uint64_t i = 1; i < count; i++)
		warp_sample(sample, work, warps / count * i);
}

/* ---- how many places that is ----------------------------------------------------------- */

static int visit_compare(const void *left, const void *right)
{
	const struct visit *a = left, *b = right;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->warp < b->warp ? -1 : a->warp > b->warp;
}

/* Pairs of units of weight that different warps bring, within visits first .. last - 1, which are sorted by warp. */
static double pairs_of(const struct visit *visits, size_t first, size_t last)
{
	double all = 0, own = 0, warp = 0;

	for (size_t i = first; i < last; i++) {
		if (i > first && visits[i].warp != visits[i - 1].warp) {
			own += warp * warp;
			warp = 0;
		}
		warp += visits[i].weight;
		all += visits[i].weight;
	}
	return all * all - own - warp * warp;
}

/* The effective number of places, at least 1. all: the pairs of all visits. */
static double places_of(struct visit *visits, size_t count, double all)
{
	double meeting = 0;

	qsort(visits, count, sizeof *visits, visit_compare);
	for (size_t first = 0, last; first < count; first = last) {
		for (last = first; last < count && visits[last].place == visits[first].place; last++)
			;
		meeting += pairs_of(visits, first, last);
	}
	if (all <= 0)
		return 1;
	return meeting > 0 ? fmax(1, fmin(MANY, all / meeting)) : MANY;
}

/* ---- rates ------------------------------------------------------------------------------ */

/* Passes a cycle of all SMs. near: lines that, lying side by side, would be served by as many slices. */
static double rate_of(const struct full_work *work, uint32_t insn, double near, double lines, double addresses)
{
	const struct full_machine *machine = work->machine;
	bool real = ptx_type_is_float((enum ptx_type)work->function->insns[insn].type);
	double same = real ? machine->atomic_float_same : machine->atomic_same;
	double rate = machine->atomic_rate ? machine_table_at(machine->atomic_rate, near) / machine->clock_hz
	                                   : fmin(machine->atomic_same * lines, machine->atomic_line);

	if (work->function->insns[insn].operation != OP_red)
		rate *= machine->atomic_returning;
	return fmin(fmin(rate, machine->atomic_same * lines), same * addresses);
}

struct full_atomic *full_atomics_make(struct arena *arena, const struct full_work *work)
{
	struct full_atomic *atomics = arena_array(arena, work->function->insn_count + 1, sizeof *atomics);
	struct atomic_sample sample = {0};
	uint32_t server = UINT32_MAX;
	double lines, near, addresses, all;

	for (uint32_t i = 0; i < work->function->insn_count; i++)
		if (is_atomic(work, i) && server == UINT32_MAX)
			server = i;
	if (server == UINT32_MAX)
		return atomics;
	sample_make(arena, work, &sample);
	all = pairs_of(sample.lines, 0, sample.line_count);
	lines = places_of(sample.lines, sample.line_count, all);
	for (size_t i = 0; i < sample.line_count; i++)
		sample.lines[i].place /= SLICE_LINES;
	near = fmax(lines, SLICE_LINES * places_of(sample.lines, sample.line_count, all));
	all = pairs_of(sample.addresses, 0, sample.address_count);
	addresses = places_of(sample.addresses, sample.address_count, all);
	for (uint32_t i = server; i < work->function->insn_count; i++) {
		if (!is_atomic(work, i))
			continue;
		double passes = sample.lanes[i] > 0 ? sample.passes[i] / sample.lanes[i] : 1;
		atomics[i] = (struct full_atomic){.cycles = passes / rate_of(work, i, near, lines, addresses), .server = server};
	}
	return atomics;
}
