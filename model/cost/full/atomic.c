/*
 * Atomics on global memory, by what they meet in the L2.
 *
 *   passes of a request = sum over its 32-byte sectors of the lanes that the word most asked for gets; 16 bytes of f64 are a pass
 *   cycles of all       = passes * mean cost of a pass / slices at work
 *
 * A slice of the L2 takes one pass after the other, each 1 / atomics.red_u32_same_address, a whole sector at once somewhat less (pattern.u32_neighbours_1_lines: 8
 * lanes beside 1). An addition of real numbers to the sector of the last one waits until that is done, 1 / atomics.red_f32_same_address; the mean cost comes from
 * letting the passes of a sample, in random order, through slices that do so (slices.f32_sectors_seconds: 1.77, 1.28, 0.98, 0.80 ns on 1, 2, 4, 8 sectors of a slice).
 *
 * Of eight neighbouring lines, a group, 0, 1, 4, 5 lie in one slice, 2, 3, 6, 7 in another; the next eight in others (slices.two_lines_seconds: additions to line 0
 * and another one). How many slices work for lines side by side is measured (slices.u32_lines_per_second over one address); arrays lie anywhere to each other, and
 * the busiest slice decides. The effective number of halves of groups is N (N - 1) / sum of n (n - 1) over pairs of passes of different warps, unbiased for a
 * sample of warps; a sample without a pair in one says that there are many. What atomics cost the SM itself is in lsu.c.
 *
 * Assumes that warps are anywhere in the launch: all instructions and all warps of the sample are pooled.
 */
#include "model/cost/full/atomic.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <string.h>

#define SAMPLE_WARPS 64     /* of the launch, spread over it */
#define SAMPLE_LEAST 8      /* where the way to the first atomic is long */
#define SAMPLE_LENGTH 4096  /* events of all of them, if all are like the first */
#define SAMPLE_REQUESTS 8   /* of a warp */
#define SAMPLE_EVENTS 20000 /* of a warp at most, on the way to them */
#define SAMPLE_ROOM ((size_t)SAMPLE_WARPS * SAMPLE_REQUESTS * WARP_LANES)
#define GROUP_LINES 8                     /* neighbouring lines that two slices serve, half of them each */
#define SIDE_BY_SIDE 0.45                 /* halves of groups for a line, where these lie side by side: a half or a quarter */
#define PASS_BYTES 16                     /* of f64 that a slice adds at once */
#define SMALL_BYTES (UINT64_C(1) << 20)   /* arrays below are allocated side by side */
#define PIECE_BYTES 512                   /* in pieces of so many bytes */
#define MANY 65536.0                      /* groups beyond which the rate grows no more */
#define DEALS 32                          /* of groups to slices */
#define MOST_DEALT 4096                   /* groups; more keep all slices busy */
#define ARRAY_SLICES 32                   /* of all, in which an array lies that is as large or smaller */
#define ARRAY_SECTORS (UINT64_C(1) << 35) /* from one array to the next: content_address() */
#define APART 0.5                         /* sectors for a lane, from which on they count as scattered */

static bool is_atomic(const struct full_work *work, uint32_t insn)
{
	const struct ptx_insn *code = &work->function->insns[insn];
	return !code->synthetic && ptx_insn_flags(code) & FLAG_ATOMIC && code->space != SPACE_SHARED &&
	       work->evaluation->insns[insn].executions > 0;
}

/* ---- what a sample of warps does ------------------------------------------------------ */

/*
 * Arrays of less than 1 MiB lie side by side, as the runtime allocates them: in pieces of 512 bytes (measured: what two atomics cost each of whose arrays has one element).
 */
static uint64_t allocated_at(const struct full_work *work, uint64_t address)
{
	unsigned buffer = 0;
	int64_t offset;
	uint64_t base = 0;
	if (!content_locate(address, work->buffer_count, &buffer, &offset) || work->buffers[buffer].bytes >= SMALL_BYTES)
		return address;
	for (unsigned b = 0; b < buffer; b++)
		if (work->buffers[b].bytes < SMALL_BYTES)
			base += (work->buffers[b].bytes + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
	return base + (uint64_t)offset;
}

/* Lane addresses; those not known are drawn from the buffer that they lie in. */
static void lanes_of(const struct full_work *work, const struct trace_event *event, const struct full_visits *sample,
                     uint64_t address[WARP_LANES])
{
	unsigned buffer = 0;
	int64_t offset;
	uint64_t places = UINT64_C(1) << 20;
	trace_lanes(event, address);
	for (unsigned lane = 0; lane < WARP_LANES && event->address == TRACE_KNOWN; lane++)
		if (event->mask >> lane & 1)
			address[lane] = allocated_at(work, address[lane]);
	if (event->address == TRACE_KNOWN)
		return;
	if (content_locate(full_first_address(event), work->buffer_count, &buffer, &offset) &&
	    work->buffers[buffer].bytes >= event->bytes)
		places = work->buffers[buffer].bytes / event->bytes;
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = allocated_at(work, content_address(buffer)) +
		                content_scramble(sample->draw * WARP_LANES + lane) % places * event->bytes;
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

/* The passes on the sector that the lane is the first in. */
static struct full_visit sector_visit(const uint64_t address[WARP_LANES], uint32_t mask, unsigned lane, unsigned bytes, bool real)
{
	unsigned most = 0, words = 0;
	for (unsigned other = lane; other < WARP_LANES; other++) {
		if (!(mask >> other & 1) || address[other] / SECTOR_BYTES != address[lane] / SECTOR_BYTES)
			continue;
		unsigned count = lanes_at(address, mask, other);
		most = count > most ? count : most;
		words += !lane_repeats(address, mask, other, 1);
	}
	unsigned parts = real && bytes > PASS_BYTES / 4 ? (words * bytes + PASS_BYTES - 1) / PASS_BYTES : 1;
	return (struct full_visit){.place = address[lane] / SECTOR_BYTES,
	                           .weight = (uint16_t)(most > parts ? most : parts),
	                           .again = (uint16_t)(most - 1),
	                           .whole = words * bytes == SECTOR_BYTES,
	                           .real = real};
}

static void request_add(struct full_visits *sample, const struct full_work *work, const struct trace_event *event, uint32_t warp)
{
	uint64_t address[WARP_LANES];
	bool real = ptx_type_is_float((enum ptx_type)work->function->insns[event->insn].type);
	uint32_t order = (uint32_t)content_scramble(++sample->draw);
	lanes_of(work, event, sample, address);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(event->mask >> lane & 1))
			continue;
		sample->lanes[event->insn]++;
		if (lane_repeats(address, event->mask, lane, SECTOR_BYTES))
			continue;
		struct full_visit visit = sector_visit(address, event->mask, lane, event->bytes, real);
		visit.warp = warp;
		visit.order = order;
		sample->passes[event->insn] += visit.weight;
		sample->visits[sample->count++] = visit;
	}
}

/* Returns how many events it took. */
static unsigned warp_sample(struct full_visits *sample, const struct full_work *work, uint64_t number, uint32_t place)
{
	uint32_t at[3];
	full_block_place(work, number / work->warps, at);
	struct trace *trace = trace_open(work->tracer, at, (uint32_t)(number % work->warps));
	struct trace_event event;
	unsigned requests = 0, events = 0;
	for (; events < SAMPLE_EVENTS && requests < SAMPLE_REQUESTS && trace_next(trace, &event); events++)
		if (event.kind == TRACE_REQUEST && event.mask && event.space == SPACE_GLOBAL && is_atomic(work, event.insn)) {
			request_add(sample, work, &event, place);
			requests++;
		}
	trace_close(trace);
	return events;
}

/* One of each so many warps, drawn at random: it follows no period of the launch, nor of a hash of the thread. */
static uint64_t warp_pick(uint64_t warps, uint64_t count, uint64_t i)
{
	double place = ((double)i + content_fraction(content_scramble(i))) / (double)count;
	return warps <= count ? i : (uint64_t)(place * (double)warps);
}

static void sample_make(struct arena *arena, const struct full_work *work, struct full_visits *sample)
{
	uint64_t warps = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2] * work->warps;
	uint64_t count = warps < SAMPLE_WARPS ? warps : SAMPLE_WARPS, fitting;
	sample->visits = arena_array(arena, SAMPLE_ROOM, sizeof *sample->visits);
	sample->passes = arena_array(arena, work->function->insn_count + 1, sizeof *sample->passes);
	sample->lanes = arena_array(arena, work->function->insn_count + 1, sizeof *sample->lanes);
	fitting = SAMPLE_LENGTH / (warp_sample(sample, work, warp_pick(warps, count, 0), 0) + 1);
	if (fitting < count)
		count = fitting > SAMPLE_LEAST ? fitting : count < SAMPLE_LEAST ? count : SAMPLE_LEAST;
	for (uint64_t i = 1; i < count; i++)
		warp_sample(sample, work, warp_pick(warps, count, i), (uint32_t)i);
	sample->sorter = cost_sorter_make(arena, sample->count, sizeof *sample->visits);
}

/* ---- how many slices work ---------------------------------------------------------------- */

static uint64_t line_of(uint64_t sector)
{
	return sector / (LINE_BYTES / SECTOR_BYTES);
}

/* The half of a group that the sector lies in: all of it in one slice. */
static uint64_t group_of(uint64_t sector)
{
	uint64_t line = line_of(sector);
	return line / GROUP_LINES * 2 + line / 2 % 2;
}

/* Pairs of passes that different warps bring, within visits first .. last - 1. */
static double pairs_of(const struct full_visit *visits, size_t first, size_t last)
{
	double passes[SAMPLE_WARPS], all = 0, own = 0;
	for (size_t i = first; i < last; i++)
		passes[visits[i].warp] = 0;
	for (size_t i = first; i < last; i++) {
		double *before = &passes[visits[i].warp], weight = visits[i].weight;
		own += weight * (2 * *before + weight);
		*before += weight;
		all += weight;
	}
	return all * all - own;
}

/* Sorts by key. */
static void visits_sort(struct cost_sorter *sorter, struct full_visit *visits, size_t count, uint64_t (*key_of)(uint64_t))
{
	for (size_t i = 0; i < count; i++)
		sorter->keys[0][i] = visits[i].key = key_of(visits[i].place);
	cost_sort(sorter, visits, count, 1);
}

/* The effective number of places, at least 1; leaves visits sorted by them. */
static double places_of(struct cost_sorter *sorter, struct full_visit *visits, size_t count, uint64_t (*place_of)(uint64_t))
{
	double all = pairs_of(visits, 0, count), meeting = 0;
	visits_sort(sorter, visits, count, place_of);
	for (size_t first = 0, last; first < count; first = last) {
		for (last = first; last < count && visits[last].key == visits[first].key; last++)
			;
		meeting += pairs_of(visits, first, last);
	}
	if (all <= 0)
		return 1;
	return meeting > 0 ? fmax(1, fmin(MANY, all / meeting)) : MANY;
}

/* The effective number of halves of groups; leaves visits sorted by them. Where lines lie side by side, most of those are whole, and hold the most. */
static double groups_of(struct cost_sorter *sorter, struct full_visit *visits, size_t count)
{
	double lines = places_of(sorter, visits, count, line_of), groups = places_of(sorter, visits, count, group_of);
	return lines >= GROUP_LINES && groups < SIDE_BY_SIDE * lines ? fmin(groups, 2 * lines / GROUP_LINES) : groups;
}

/* ---- rates ------------------------------------------------------------------------------ */

/* One piece of memory that atomics go to: an array, or all small ones. */
struct atomic_region {
	size_t first, last; /* its visits, sorted by group: first .. last - 1 */
	double share;       /* of the passes */
	double load;        /* share over slices at work: what its busiest slice gets */
	size_t width;       /* slices that it lies in */
};

/* Groups of the busiest of so many slices if all are dealt out at random: the mean of some deals. */
static double busiest_dealt(struct arena *arena, size_t groups, size_t slices)
{
	unsigned *held = arena_array(arena, slices, sizeof *held), sum = 0;
	for (unsigned deal = 0; deal < DEALS; deal++) {
		unsigned most = 0;
		memset(held, 0, slices * sizeof *held);
		for (size_t i = 0; i < groups; i++) {
			unsigned *slice = &held[content_scramble(deal * groups + i) % slices];
			most = ++*slice > most ? *slice : most;
		}
		sum += most;
	}
	return (double)sum / DEALS;
}

/*
 * Slices at work on groups of one region: as measured side by side where they fill the memory that they span, as if dealt out at random where they are few in it, and
 * in between (assumed) as the filled share says.
 */
static double slices_of(struct arena *arena, const struct full_machine *machine, const struct full_visit *visits,
                        const struct atomic_region *region, double groups)
{
	double lines = groups < 2 ? pow(groups, 3) : GROUP_LINES / 2.0 * groups;
	double span = (double)(group_of(visits[region->last - 1].place) - group_of(visits[region->first].place) + 1);
	double side_by_side =
		fmin(machine_table_at(machine->atomic_rate, lines) / machine->clock_hz / machine->atomic_same, groups);
	double filled = fmin(1, groups / span), dealt;
	if (groups < 2 || groups > MOST_DEALT)
		return side_by_side;
	dealt = fmin(machine->atomic_most / machine->atomic_same,
	             groups / busiest_dealt(arena, (size_t)lround(groups), (size_t)machine->l2_slices));
	return 1 / (filled / side_by_side + (1 - filled) / dealt);
}

/* Splits visits, sorted by group, where another array begins. Returns how many regions there are. */
static size_t regions_split(struct full_visit *visits, size_t count, struct atomic_region *regions)
{
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || visits[i].place / ARRAY_SECTORS != visits[i - 1].place / ARRAY_SECTORS)
			regions[used++] = (struct atomic_region){.first = i};
		regions[used - 1].last = i + 1;
		regions[used - 1].share += visits[i].weight;
	}
	return used;
}

/* What the busiest slice gets of all passes where each region lies in slices of its own choice, side by side: the mean of some deals. */
static double busiest_share(struct arena *arena, const struct atomic_region *regions, size_t count, size_t slices)
{
	double *held = arena_array(arena, slices, sizeof *held), sum = 0;
	for (unsigned deal = 0; deal < DEALS; deal++) {
		double most = 0;
		memset(held, 0, slices * sizeof *held);
		for (size_t r = 0; r < count; r++) {
			size_t width = regions[r].width, place = content_scramble(deal * count + r) % (slices / width) * width;
			for (size_t s = place; s < place + width; s++) {
				held[s] += regions[r].load;
				most = fmax(most, held[s]);
			}
		}
		sum += most;
	}
	return sum / DEALS;
}

/*
 * Slices at work, as if all were equally so. Of 96, one array takes a power of two, 32 at most (slices.u32_lines_per_second: 128 and 256 lines are equally fast,
 * twice as many lines twice as fast); larger ones lie in all.
 */
static double slices_at_work(struct arena *arena, const struct full_machine *machine, const struct full_visits *sample)
{
	struct full_visit *visits = sample->visits;
	size_t count = sample->count;
	struct atomic_region *regions = arena_array(arena, count + 1, sizeof *regions);
	double passes = 0;
	size_t used;
	visits_sort(sample->sorter, visits, count, group_of);
	used = regions_split(visits, count, regions);
	for (size_t r = 0; r < used; r++)
		passes += regions[r].share;
	for (size_t r = 0; r < used; r++) {
		struct atomic_region *region = &regions[r];
		double groups = groups_of(sample->sorter, visits + region->first, region->last - region->first);
		region->share /= passes;
		region->load = region->share / slices_of(arena, machine, visits, region, groups);
		region->width = 1;
		while (region->width < groups && region->width < ARRAY_SLICES)
			region->width *= 2;
		if (groups > 2 * ARRAY_SLICES)
			region->width = (size_t)machine->l2_slices;
	}
	return 1 / busiest_share(arena, regions, used, (size_t)machine->l2_slices);
}

/* Cycles of the device for a mean pass. *spread: share of the slices that may work at once which do. */
static double pass_cycles(struct arena *arena, const struct full_machine *machine, struct full_visits *sample, double *spread)
{
	double cost, slices;
	*spread = 1;
	if (!machine->atomic_rate) {
		double groups = groups_of(sample->sorter, sample->visits, sample->count);
		return 1 / fmin(machine->atomic_same * groups, machine->atomic_line);
	}
	slices = slices_at_work(arena, machine, sample);
	*spread = fmin(1, slices * machine->atomic_same / machine->atomic_most);
	cost = full_pass_cost(arena, machine, sample);
	return cost / machine->atomic_same / slices;
}

/* Small arrays begin PIECE_BYTES further on. Returns whether there are any. */
static bool visits_shift(struct full_visits *sample)
{
	bool small = false;
	for (size_t i = 0; i < sample->count; i++)
		if (sample->visits[i].place < ARRAY_SECTORS) {
			sample->visits[i].place += PIECE_BYTES / SECTOR_BYTES;
			small = true;
		}
	return small;
}

static uint64_t sector_itself(uint64_t sector)
{
	return sector;
}

/* Cycles of the launch that scattered atomics add to all others. */
static double far_cycles(struct arena *arena, const struct full_work *work, const struct full_visits *sample)
{
	uint64_t *sectors = arena_array(arena, sample->count + 1, sizeof *sectors);
	double lanes = 0, additions = 0;
	for (uint32_t i = 0; i < work->function->insn_count; i++) {
		lanes += sample->lanes[i];
		additions += is_atomic(work, i) ? work->evaluation->insns[i].lanes : 0;
	}
	if ((double)sample->count < APART * lanes)
		return 0;
	visits_sort(sample->sorter, sample->visits, sample->count, sector_itself);
	for (size_t i = 0; i < sample->count; i++)
		sectors[i] = sample->visits[i].place;
	return full_scattered_cycles(arena, work->machine, sectors, sample->count, ARRAY_SECTORS, additions);
}

struct full_atomic *full_atomics_make(struct arena *arena, const struct full_work *work)
{
	struct full_atomic *atomics = arena_array(arena, work->function->insn_count + 1, sizeof *atomics);
	struct full_visits sample = {0};
	uint32_t server = 0;
	double cycles, spread;
	while (server < work->function->insn_count && !is_atomic(work, server))
		server++;
	if (server == work->function->insn_count)
		return atomics;
	sample_make(arena, work, &sample);
	cycles = pass_cycles(arena, work->machine, &sample, &spread);
	if (visits_shift(&sample))
		cycles = (cycles + pass_cycles(arena, work->machine, &sample, &spread)) / 2;
	for (uint32_t i = server; i < work->function->insn_count; i++) {
		if (!is_atomic(work, i))
			continue;
		double passes = sample.lanes[i] > 0 ? sample.passes[i] / sample.lanes[i] : 1;
		atomics[i] = (struct full_atomic){.cycles = passes * cycles, .spread = spread, .server = server};
	}
	atomics[server].far = far_cycles(arena, work, &sample);
	return atomics;
}
