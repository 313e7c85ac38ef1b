/*
 * Atomics on global memory, by what they meet in the L2.
 *
 *   passes of a request = sum over its sectors of the lanes that the most wanted word gets
 *   cycles of all       = passes * share of the busiest slice, by its passes' mean cost
 *
 * A slice takes one pass after the other: 1 / atomics.red_u32_same_address, less for a whole sector
 * (pattern.*). An addition of reals to the sector of the last one waits for that one: 1 /
 * atomics.red_f32_same_address. busiest.c finds the share, slices.c the mean cost; lsu.c has what
 * atomics cost the SM. Assumed: warps are anywhere in the launch, so a sample stands for all.
 */
#include "model/cost/full/launch/launch.h"
#include "model/cost/full/atomic/atomic.h"
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <string.h>

#define SAMPLE_LEAST 8      /* where the way to the first atomic is long */
#define SAMPLE_LENGTH 4096  /* events of all of them, if all are like the first */
#define SAMPLE_REQUESTS 8   /* of a warp */
#define SAMPLE_EVENTS 20000 /* of a warp at most, on the way to them */
#define SAMPLE_ROOM ((size_t)FULL_SAMPLE_WARPS * SAMPLE_REQUESTS * WARP_LANES)
#define PASS_BYTES 16                   /* of f64 that a slice adds at once */
#define SMALL_BYTES (UINT64_C(1) << 20) /* arrays below are allocated side by side */
#define PIECE_BYTES 512                 /* in pieces of so many bytes */
#define APART 0.5                       /* sectors for a lane, from which on they count as scattered */
#define LAST 0.5 /* of the atomics of an only wave come after all else: sums.csv, 1024 and 512 blocks */

static bool is_atomic(const struct full_work *work, uint32_t insn)
{
	const struct ptx_insn *code = &work->function->insns[insn];
	return !code->synthetic && ptx_insn_flags(code) & FLAG_ATOMIC && code->space != SPACE_SHARED &&
	       work->evaluation->insns[insn].executions > 0;
}

/* ---- what a sample of warps does ------------------------------------------------------ */

/*
 * Arrays of less than 1 MiB lie side by side, as the runtime allocates them: in pieces of 512 bytes (measured: what two
 * atomics cost each of whose arrays has one element).
 */
static uint64_t allocated_at(const struct full_work *work, uint64_t address)
{
	unsigned buffer = 0;
	int64_t offset;
	uint64_t base = 0;
	if (!content_locate(address, work->buffer_count, &buffer, &offset) ||
	    work->buffers[buffer].bytes >= SMALL_BYTES)
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

/* The passes on the sector that the lane is the first in. Of real numbers of 8 bytes each half of it takes one. */
static struct full_visit sector_visit(const uint64_t address[WARP_LANES], uint32_t mask, unsigned lane, unsigned bytes,
                                      bool real)
{
	unsigned most = 0, words = 0, pieces = 0;
	bool parted = real && bytes > PASS_BYTES / 4;
	for (unsigned other = lane; other < WARP_LANES; other++) {
		if (!(mask >> other & 1) || address[other] / SECTOR_BYTES != address[lane] / SECTOR_BYTES)
			continue;
		unsigned count = lanes_at(address, mask, other);
		most = count > most ? count : most;
		words += !lane_repeats(address, mask, other, 1);
		pieces |= 1u << address[other] % SECTOR_BYTES / PASS_BYTES;
	}
	unsigned parts = parted && pieces == 3 ? 2 : 1;
	return (struct full_visit){.place = address[lane] / SECTOR_BYTES,
	                           .weight = (uint16_t)(most > parts ? most : parts),
	                           .again = (uint16_t)(most - 1),
	                           .whole = parted ? parts == 2 : words * bytes == SECTOR_BYTES,
	                           .real = real};
}

static void request_add(struct full_visits *sample, const struct full_work *work, const struct trace_event *event,
                        uint32_t warp)
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
		if (event.kind == TRACE_REQUEST && event.mask && event.space == SPACE_GLOBAL &&
		    is_atomic(work, event.insn)) {
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
	uint64_t count = warps < FULL_SAMPLE_WARPS ? warps : FULL_SAMPLE_WARPS, fitting;
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

/* ---- rates ------------------------------------------------------------------------------ */

/* Cycles of the device for a mean pass. *spread: share of the slices that may work at once which do. */
static double pass_cycles(struct arena *arena, const struct full_machine *machine, struct full_visits *sample,
                          double *spread)
{
	double busiest = full_busiest_share(arena, machine, sample), most = machine->atomic_most / machine->atomic_same;
	*spread = machine->atomic_rate ? fmin(1, 1 / busiest / most) : 1;
	return busiest / machine->atomic_same;
}

/* Small arrays begin PIECE_BYTES further on. Returns whether there are any. */
static bool visits_shift(struct full_visits *sample)
{
	bool small = false;
	for (size_t i = 0; i < sample->count; i++)
		if (sample->visits[i].place < FULL_ARRAY_SECTORS) {
			sample->visits[i].place += PIECE_BYTES / SECTOR_BYTES;
			small = true;
		}
	return small;
}

/* Sorts the sample by granules, and returns the share of its visits that are the first of their warp there: members of
 * a record that lie in one granule come from DRAM together. */
static double visits_first(const struct full_visits *sample, uint64_t per)
{
	size_t first = 0;
	for (size_t i = 0; i < sample->count; i++) {
		sample->sorter->keys[0][i] = sample->visits[i].place / per;
		sample->sorter->keys[1][i] = sample->visits[i].warp;
	}
	cost_sort(sample->sorter, sample->visits, sample->count, 2);
	for (size_t i = 0; i < sample->count; i++) {
		const struct full_visit *own = &sample->visits[i], *before = own - (i > 0);
		first += i == 0 || own->place / per != before->place / per || own->warp != before->warp;
	}
	return sample->count ? (double)first / (double)sample->count : 1;
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
	additions *= visits_first(sample, (uint64_t)(work->machine->granule / SECTOR_BYTES));
	for (size_t i = 0; i < sample->count; i++)
		sectors[i] = sample->visits[i].place;
	return full_scattered_cycles(arena, work->machine, sectors, sample->count, FULL_ARRAY_SECTORS, additions);
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

/*
 * Atomics that nobody waits for and the rest of the launch hide each other, but for the larger one of
 *
 *   (1 - spread) exposed_l2 min(atomics, what the L2 takes for stores)
 *   (1 - spread) exposed_dram min(1, atomics / rest) min(atomics, what DRAM or the L2 takes for the rest)
 *
 * Measured where few slices of the L2 have all atomics (beside.cu, sums.cu): what else goes through these comes
 * between. Those that are spread over all slices are not kept (assumed, by random_adds.cu). Where the rest takes
 * longer, the atomics of the last wave of blocks come after it; of the only wave half of them, as its blocks do not end
 * together.
 */
double full_atomics_exposed(const struct full_work *work, const struct full_launch *launch, double blocks)
{
	const struct full_run *run = &launch->run;
	const struct full_machine *machine = work->machine;
	double scale = launch->cycles / fmax(1, run->cycles);
	double memory = fmax(scale * run->path.l2_busy, fmin(scale * run->path.dram_busy, launch->dram_floor));
	double stores = scale * run->stores.flits * machine->l2_store_flit * work->active / machine->sms;
	double last = run->complete || launch->cycles < launch->atomics
	                      ? 0
	                      : launch->atomics * fmin(LAST, work->resident * work->active / blocks);
	if (launch->awaited || launch->atomics <= 0)
		return 0;
	double share = machine->exposed_dram * fmin(1, launch->atomics / launch->cycles);
	double exposed =
		fmax(machine->exposed_l2 * fmin(launch->atomics, stores), share * fmin(launch->atomics, memory));
	return fmax((1 - launch->spread) * exposed, last);
}
