/*
 * One memory request: what it asks of the LSU and the caches.
 *
 *   passes = max(sum over groups of lanes of words of the fullest of 32 banks, tag passes)
 *
 * Groups are 32, 16, 8 lanes for accesses of 4, 8, 16 bytes. Loads of 8 and 16 bytes from shared
 * memory serve twice as many lanes where neighbours read the same. Atomics on shared memory serve
 * one lane of a bank at a time, unless each adds one. Unknown addresses are drawn from the buffer,
 * lane by lane. The forms follow l1_load_cycles.*, stride_cycles.*, atomics.shared_*.
 */
#include "model/cost/full/sm/sm.h"

#include <math.h>
#include <string.h>

#define BANKS 32
#define WORD_BYTES 4
#define SCATTERED 0.75 /* sectors for a lane */

__extension__ typedef unsigned __int128 wide;

static uint64_t mix(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

static unsigned width_of(uint32_t bytes)
{
	return bytes > 8 ? 2 : bytes > 4 ? 1 : 0;
}

uint64_t full_first_address(const struct trace_event *event)
{
	unsigned lane = event->mask ? (unsigned)__builtin_ctz(event->mask) : 0;
	return event->lanes ? event->lanes[lane] : event->base + (uint64_t)event->step * lane;
}

/* Numbers modulo `most`, for many of them: the product with the inverse in units of 2^-64 is at most one too small. */
struct remainder {
	uint64_t most, inverse;
};

static struct remainder remainder_by(uint64_t most)
{
	return (struct remainder){most, UINT64_MAX / most};
}

static uint64_t remainder_of(const struct remainder *remainder, uint64_t number)
{
	uint64_t rest = number - (uint64_t)((wide)number * remainder->inverse >> 64) * remainder->most;
	return rest < remainder->most ? rest : rest - remainder->most;
}

static uint64_t places_of(const struct trace_event *event, uint64_t buffer_bytes)
{
	uint64_t places = event->bytes ? buffer_bytes / event->bytes : 0;
	return places ? places : 1 << 20;
}

static void lanes_draw(const struct trace_event *event, uint64_t draw, uint64_t buffer_bytes,
                       uint64_t address[WARP_LANES])
{
	const struct remainder places = remainder_by(places_of(event, buffer_bytes));
	uint64_t first = full_first_address(event), base = first - first % (UINT64_C(1) << 40);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = base + remainder_of(&places, mix(draw * WARP_LANES + lane)) * event->bytes;
}

static void lanes_shift(const struct trace_event *event, uint64_t draw, uint64_t buffer_bytes,
                        uint64_t address[WARP_LANES])
{
	uint64_t shift = mix(draw) % places_of(event, buffer_bytes) * event->bytes;
	trace_lanes(event, address);
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] += shift;
}

/* Words that the fullest bank has to give to lanes first .. first + count - 1; all: also the same one to each. */
static unsigned bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, unsigned first, unsigned count,
                            unsigned words, bool all)
{
	uint64_t seen[BANKS][BANKS];
	uint8_t held[BANKS] = {0};
	unsigned most = 0;
	if (count < WARP_LANES)
		mask &= ((1u << count) - 1) << first;
	for (; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);
		for (unsigned w = 0; w < words; w++) {
			uint64_t word = address[lane] / 4 + w;
			unsigned bank = word % BANKS, i = 0;
			while (!all && i < held[bank] && seen[bank][i] != word)
				i++;
			if (all)
				i = held[bank];
			if (i == held[bank] && held[bank] < BANKS)
				seen[bank][held[bank]++] = word;
			if (held[bank] > most)
				most = held[bank];
		}
	}
	return most;
}

/* Whether each active lane reads what the one `apart` lanes from it reads, where that is active. */
static bool is_paired(const uint64_t address[WARP_LANES], uint32_t mask, unsigned apart)
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		if (mask >> lane & 1 && mask >> (lane ^ apart) & 1 && address[lane] != address[lane ^ apart])
			return false;
	return true;
}

/* Passes of all groups; *least: those that no address could spare. */
static unsigned passes_of(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t bytes, bool all, bool pairs,
                          unsigned *least)
{
	unsigned words = bytes > 8 ? 4 : bytes > 4 ? 2 : 1, group = WARP_LANES / words, passes = 0;
	*least = 0;
	if (pairs && words > 1 && (is_paired(address, mask, 1) || is_paired(address, mask, 2)))
		group *= 2;
	for (unsigned first = 0; first < WARP_LANES; first += group) {
		unsigned some = bank_passes(address, mask, first, group, words, all);
		passes += some;
		*least += some > 0;
	}
	return passes;
}

/* Lines that a request has, by a hash: 1 + the last one's place, or 0. */
struct lines_met {
	uint8_t last[256];
};

static unsigned line_place(struct full_request *request, uint64_t line, struct lines_met *met)
{
	uint8_t *last = &met->last[(line * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
	if (*last && request->line[*last - 1] == line)
		return *last - 1u;
	unsigned i = *last ? request->line_count : 0;
	while (i > 0 && request->line[i - 1] != line)
		i--;
	if (i == 0 && request->line_count < FULL_LINES) {
		i = ++request->line_count;
		request->line[i - 1] = line;
		request->sectors[i - 1] = 0;
		request->words[i - 1] = 0;
		request->bytes[i - 1] = (struct full_bytes){{0, 0}};
	}
	*last = (uint8_t)(i > 0 ? i : FULL_LINES);
	return *last - 1u;
}

static uint32_t words_of(unsigned offset, unsigned bytes)
{
	return (uint32_t)(((UINT64_C(1) << ((offset + bytes - 1) / 4 + 1)) - 1) & ~((UINT64_C(1) << offset / 4) - 1));
}

static void bytes_mark(struct full_bytes *bytes, unsigned first, unsigned count)
{
	for (unsigned b = first; b < first + count && b < LINE_BYTES; b++)
		bytes->half[b / 64] |= UINT64_C(1) << b % 64;
}

/* The bytes of one lane that lie in one sector. */
static void sector_add(struct full_request *request, uint64_t address, uint32_t bytes, bool store,
                       struct lines_met *met)
{
	unsigned offset = address % LINE_BYTES, place = line_place(request, address / LINE_BYTES, met);
	uint64_t marks = (UINT64_C(1) << bytes) - 1;
	request->sectors[place] |= (uint8_t)(1u << offset / SECTOR_BYTES);
	request->words[place] |= words_of(offset, bytes);
	if (store)
		request->bytes[place].half[offset / 64] |= marks << offset % 64;
}

/* The bytes of one lane, which may lie across the end of a line. */
static void lane_add(struct full_request *request, uint64_t address, uint32_t bytes, bool store, struct lines_met *met)
{
	while (bytes) {
		unsigned offset = address % LINE_BYTES,
			 part = bytes < LINE_BYTES - offset ? bytes : LINE_BYTES - offset;
		unsigned place = line_place(request, address / LINE_BYTES, met);
		for (unsigned s = offset / SECTOR_BYTES; s <= (offset + part - 1) / SECTOR_BYTES; s++)
			request->sectors[place] |= (uint8_t)(1u << s);
		request->words[place] |= words_of(offset, part);
		if (store)
			bytes_mark(&request->bytes[place], offset, part);
		address += part;
		bytes -= part;
	}
}

static void global_make(const struct full_machine *machine, const struct trace_event *event,
                        const uint64_t address[WARP_LANES], bool store, struct full_request *request)
{
	struct lines_met met = {{0}};
	for (uint32_t mask = event->mask; mask; mask &= mask - 1) {
		uint64_t lane = address[__builtin_ctz(mask)];
		if (event->bytes && lane % SECTOR_BYTES + event->bytes <= SECTOR_BYTES)
			sector_add(request, lane, event->bytes, store, &met);
		else
			lane_add(request, lane, event->bytes, store, &met);
	}
	for (unsigned i = 0; i < request->line_count; i++)
		request->sector_count += full_sectors(request->sectors[i]);
	full_l1_passes(machine, request);
}

/* Local memory is interleaved: word w of lane l lies at 128 w + 4 l of the warp's own lines. */
static void local_lanes(uint64_t draw, uint64_t address[WARP_LANES])
{
	for (unsigned lane = 0; lane < WARP_LANES; lane++)
		address[lane] = (UINT64_C(1) << 60) + (draw << 32) + address[lane] / 4 * LINE_BYTES +
		                (uint64_t)lane * 4 + address[lane] % 4;
}

/* Lanes that access what an earlier one does. */
static unsigned repeats_of(const uint64_t address[WARP_LANES], uint32_t mask)
{
	uint64_t hashes = 0;
	unsigned count = 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t hash = UINT64_C(1) << ((address[lane] * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
		bool maybe = hashes & hash, found = false;
		if (!(mask >> lane & 1))
			continue;
		hashes |= hash;
		for (unsigned other = 0; maybe && !found && other < lane; other++)
			found = mask >> other & 1 && address[other] == address[lane];
		count += found;
	}
	return count;
}

unsigned full_constant_places(const struct trace_event *event)
{
	uint64_t address[WARP_LANES];
	if (event->address == TRACE_UNKNOWN)
		return event->mask ? (unsigned)__builtin_popcount(event->mask) : 1;
	if (!event->lanes && !event->step)
		return 1;
	trace_lanes(event, address);
	return (unsigned)full_later(1, (double)__builtin_popcount(event->mask) - repeats_of(address, event->mask));
}

/*
 * The loop around an exchange: in each trip one lane of a bank gets through, whatever its address; lanes of 8 bytes go
 * in halves of a warp. Counts what the loads of all trips but the first take.
 */
static void exchange_make(const struct full_machine *machine, const struct trace_event *event,
                          const uint64_t address[WARP_LANES], struct full_request *request)
{
	unsigned group = event->bytes > 4 ? WARP_LANES / 2 : WARP_LANES, held[2][BANKS] = {{0}}, least, apart;
	request->trips = 0;
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		request->sectors[lane] = UINT8_MAX;
		if (event->mask >> lane & 1) {
			request->line[lane] = address[lane];
			request->sectors[lane] = (uint8_t)held[lane / group][address[lane] / 4 % BANKS]++;
			request->trips =
				request->sectors[lane] >= request->trips ? request->sectors[lane] + 1u : request->trips;
		}
	}
	apart = passes_of(address, event->mask, event->bytes, false, false, &least);
	request->passes = request->trips * machine->exchange_cycles;
	for (unsigned rest = 1; rest < request->trips; rest++)
		request->passes += apart < rest ? apart : rest;
}

void full_request_make(const struct full_machine *machine, const struct trace_event *event, enum full_memory kind,
                       uint64_t warp, uint64_t draw, uint64_t buffer_bytes, struct full_request *request)
{
	uint64_t address[WARP_LANES];
	unsigned least = 0;
	bool shared = event->space == SPACE_SHARED, atomic = kind >= FULL_ATOMIC;
	request->space = event->space;
	request->lane_count = (unsigned)__builtin_popcount(event->mask);
	request->line_count = request->sector_count = 0;
	request->width = width_of(event->bytes);
	request->scattered = event->address != TRACE_KNOWN;
	request->fine = event->bytes < WORD_BYTES;
	if (event->address == TRACE_UNKNOWN)
		lanes_draw(event, draw, buffer_bytes, address);
	else if (event->address == TRACE_SHIFTED)
		lanes_shift(event, draw, buffer_bytes, address);
	else
		trace_lanes(event, address);
	request->bank_passes = passes_of(address, event->mask, event->bytes, shared && atomic && kind != FULL_COUNTING,
	                                 shared && kind == FULL_LOAD, &least);
	request->passes = request->bank_passes;
	request->tag_passes = 1;
	request->conflicts = request->bank_passes - least;
	request->repeats = atomic ? repeats_of(address, event->mask) : 0;
	if (kind == FULL_EXCHANGING)
		exchange_make(machine, event, address, request);
	if (event->space == SPACE_LOCAL)
		local_lanes(warp, address);
	if (!shared)
		global_make(machine, event, address, kind == FULL_STORE, request);
}

double full_lanes_span(const struct full_work *work, const struct trace_event *event, int64_t *first)
{
	double sectors, lines;
	unsigned buffer;
	int64_t offset, least = INT64_MAX, most = 0;
	*first = 0;
	if (!content_locate(full_first_address(event), work->buffer_count, &buffer, &offset))
		return 0;
	if (event->address == TRACE_UNKNOWN)
		return (double)work->buffers[buffer].bytes;
	if (!event->lanes)
		return 0;
	touch_global(event->lanes, event->mask, event->bytes, &sectors, &lines);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		if (!(event->mask >> lane & 1) ||
		    !content_locate(event->lanes[lane], work->buffer_count, &buffer, &offset))
			continue;
		least = offset < least ? offset : least;
		most = offset > most ? offset : most;
	}
	*first = least;
	return least < most && sectors > SCATTERED * __builtin_popcount(event->mask) ? (double)(most - least) : 0;
}

void full_place(const struct full_work *work, uint64_t block, int64_t at[3])
{
	at[0] = (int64_t)(block % work->grid[0]);
	at[1] = (int64_t)(block / work->grid[0] % work->grid[1]);
	at[2] = (int64_t)(block / work->grid[0] / work->grid[1]);
}

bool full_loads(const struct full_work *work, uint32_t insn)
{
	return (ptx_insn_flags(&work->function->insns[insn]) & (FLAG_LOAD | FLAG_ATOMIC)) == FLAG_LOAD;
}

bool full_is_load(const struct full_work *work, const struct trace_event *event)
{
	return event->kind == TRACE_REQUEST && event->mask && event->space == SPACE_GLOBAL &&
	       full_loads(work, event->insn);
}
