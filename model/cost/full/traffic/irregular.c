/*
 * Addresses without a pattern from block to block: gathers by a list, a hash, a remainder.
 *
 *   set   = span * share of its lines that drawn addresses fall on
 *   first = exp(-asked / set), at least 1 - held; evenly spread addresses: all, once each
 *   held  = what the L2 still has, full_random_held(); other data count by (1 + halves) / 2 halves
 *
 * Where each block has a region of its own, U granules of N asked: first = U / N over the launch.
 * full_random_rates() has the rates. Assumed: every granule of a set is asked for as often as any.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <stdlib.h>

#define DRAWS 48       /* warps whose addresses are looked at together */
#define DRAWN 2048     /* of those addresses, for a period */
#define AT_ONCE 64     /* of those, until it is looked whether they say enough */
#define STEPS 8        /* from lane to lane, of multiples of a number: they wrap, and are rounded to granules */
#define EVEN_LOST 0.75 /* of an even set as large as the L2: again-h200.csv */
#define SAMPLED 4      /* threads */
#define HALVINGS 40    /* of what is not known of a share */
#define SHORT 16       /* up to there every period is tried, and then those of whole lines */

/* Granules that an irregular request of the window asks for in blocks all over the grid. */
struct draws {
	uint64_t granule[DRAWS * WARP_LANES];
	unsigned count, buffer;
	unsigned warps, even; /* even: of which lanes are multiples of a number */
};

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Whether lanes lie as multiples of a number do modulo another: few distances from one to the next. */
static bool are_multiples(const uint64_t granules[WARP_LANES])
{
	uint64_t steps[WARP_LANES - 1];
	unsigned distinct = 1;
	for (unsigned i = 0; i + 1 < WARP_LANES; i++)
		steps[i] = granules[i + 1] - granules[i];
	qsort(steps, ARRAY_COUNT(steps), sizeof *steps, compare);
	for (unsigned i = 1; i < ARRAY_COUNT(steps); i++)
		distinct += steps[i] != steps[i - 1];
	return distinct <= STEPS;
}

static void draws_add(struct draws *draws, const struct trace_event *event, uint64_t granule)
{
	uint64_t address[WARP_LANES];
	trace_lanes(event, address);
	unsigned first = draws->count;
	for (unsigned lane = 0; lane < WARP_LANES && draws->count < DRAWS * WARP_LANES; lane++)
		if (event->mask >> lane & 1)
			draws->granule[draws->count++] = address[lane] / granule;
	if (draws->count == first + WARP_LANES) {
		draws->even += are_multiples(draws->granule + first);
		draws->warps++;
	}
}

static void warp_draw(const struct full_work *work, const struct full_window_request *requests, unsigned count,
                      struct draws *draws, const int64_t at[3], uint32_t warp)
{
	const uint32_t block[3] = {(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]};
	struct trace *trace = trace_open(work->tracer, block, warp);
	struct trace_event event;
	unsigned order = 0;
	for (uint32_t step = 0; order < count && step < 64 * FULL_WINDOW && trace_next(trace, &event); step++) {
		if (!full_is_load(work, &event))
			continue;
		const struct full_window_request *request = &requests[order];
		if (request->irregular && request->insn == event.insn && event.address == TRACE_KNOWN)
			draws_add(&draws[order], &event, (uint64_t)work->machine->granule);
		order++;
	}
	trace_close(trace);
}

/* Bytes from the first to the last of them. */
static double range_drawn(const struct draws *draws, double granule)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (unsigned k = 0; k < draws->count; k++) {
		first = draws->granule[k] < first ? draws->granule[k] : first;
		last = draws->granule[k] > last ? draws->granule[k] : last;
	}
	return draws->count ? (double)(last - first + 1) * granule : INFINITY;
}

/* Share of the places of a period that some of the numbers fall on; `enough` where it is not less. */
static double share_of_period(const uint64_t *numbers, size_t count, unsigned period, double enough)
{
	bool seen[FULL_LONGEST_PERIOD] = {false};
	unsigned distinct = 0;
	for (size_t k = 0; k < count && (double)distinct / period < enough;) {
		for (size_t end = k + AT_ONCE < count ? k + AT_ONCE : count; k < end; k++) {
			bool *place = &seen[numbers[k] % period];
			distinct += !*place;
			*place = true;
		}
	}
	return fmin(enough, (double)distinct / period);
}

double full_share_drawn(const uint64_t *granules, size_t count, unsigned *shortest)
{
	size_t step = count / DRAWN + 1;
	uint64_t first = UINT64_MAX, last = 0, numbers[DRAWN];
	double least = 1;
	if (shortest)
		*shortest = 1;
	for (size_t k = 0; k < count; k++) {
		first = granules[k] < first ? granules[k] : first;
		last = granules[k] > last ? granules[k] : last;
	}
	count /= step;
	for (size_t k = 0; k < count; k++)
		numbers[k] = granules[k * step + content_scramble(k) % step];
	for (unsigned period = 2;
	     period <= FULL_LONGEST_PERIOD && period <= count / 8 && first <= last && period <= (last - first + 1) / 2;
	     period += period < SHORT ? 1 : 2) {
		double share = share_of_period(numbers, count, period, least);
		if (shortest && share < least)
			*shortest = period;
		least = share;
	}
	return least;
}

/* The same of all irregular requests to a buffer, by granules or, `per` of them each, by lines. */
static double share_of_buffer(struct arena *arena, const struct draws *draws,
                              const struct full_window_request *requests, unsigned count, unsigned buffer, uint64_t per)
{
	uint64_t *all = arena_array(arena, (size_t)count * DRAWS * WARP_LANES + 1, sizeof *all);
	size_t used = 0;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; requests[i].irregular && draws[i].buffer == buffer && k < draws[i].count; k++)
			all[used++] = draws[i].granule[k] / per;
	return full_share_drawn(all, used, NULL);
}

/* What irregular requests to one buffer ask for. */
struct random_set {
	double span, granules, lines; /* bytes that lanes lie scattered over; granules that can be asked for; bytes of
	                                 the lines that hold these */
	double asked;                 /* lines, by the instruction that asks for most */
	bool even;                    /* each of them about as often */
	uint32_t group;
};

/*
 * Addresses as good as random: what is asked of the granules that can be asked for. Lanes scattered over all of them
 * meet those of all that is simulated; where each block has a region, those of the blocks beside it, which are part of
 * the launch in the same measure as their regions of the array, and leave out none.
 */
static void share_set(const struct full_work *work, struct full_traffic *traffic,
                      const struct full_window_request *request, double bytes, const struct random_set *set,
                      double held)
{
	double all = bytes / work->machine->granule;
	double run = request->span > 0
	                     ? fmin(1, (double)work->budget * work->active / work->evaluation->warp_instructions)
	                     : 1;
	const struct insn_totals *totals = &work->evaluation->insns[request->insn];
	double asked = run * fmin(totals->sectors, totals->lines * LINE_BYTES / work->machine->granule);
	struct full_share *share = &traffic->shares[0][request->insn];
	*share = (struct full_share){.first = asked > 0 ? fmin(1, all / asked) : 1, .samples = 1};
	traffic->irregular[request->insn] = request->span > 0;
	share->both = 1 - exp2(1 - 1 / share->first);
	if (!(request->span > 0)) {
		share->wait = 1 - share->first;
		return;
	}
	share->set = set->granules;
	share->least = 1 - held;
	share->group = set->group;
	share->even = set->even;
	if (all > 0 && asked > 0)
		share->first = fmin(1, fmax(all / asked * -expm1(-asked / all), share->least));
	share->both = 1 - exp2(1 - 1 / share->first);
}

/* How many different lines, of `per` granules each, a thread asks for of a buffer. */
static double lines_apart(const struct draws *draws, const struct full_window_request *requests, unsigned count,
                          unsigned buffer, uint64_t per)
{
	uint64_t lines[FULL_WINDOW];
	unsigned most = 0;
	for (unsigned k = 0; k < SAMPLED; k++) {
		unsigned distinct = 0;
		for (unsigned i = 0; i < count; i++) {
			if (!requests[i].irregular || draws[i].buffer != buffer || k >= draws[i].count)
				continue;
			unsigned at = 0;
			lines[distinct] = draws[i].granule[k] / per;
			while (lines[at] != lines[distinct])
				at++;
			distinct += at == distinct;
		}
		most = distinct > most ? distinct : most;
	}
	return most > 1 ? most : 1;
}

/* Bytes of a buffer that its requests' lanes lie scattered over, each once: those of arrays side by side in it add up,
 * those of members in tiles are the same. */
static double span_together(const struct draws *draws, const struct full_window_request *requests, unsigned count,
                            unsigned buffer)
{
	double covered = 0, end = -INFINITY;
	for (const struct full_window_request *next = requests; next;) {
		next = NULL;
		for (unsigned i = 0; i < count; i++)
			if (draws[i].buffer == buffer && requests[i].irregular && requests[i].span > 0 &&
			    (double)requests[i].first + requests[i].span > end &&
			    (!next || requests[i].first < next->first))
				next = &requests[i];
		if (next) {
			double first = (double)next->first, last = first + next->span;
			covered += last - fmax(first, end);
			end = last;
		}
	}
	return covered;
}

/* The sets of buffers that scattered lanes ask for. */
static struct random_set *sets_find(struct arena *arena, const struct full_work *work, const struct draws *draws,
                                    const struct full_window_request *requests, unsigned count)
{
	struct random_set *sets = arena_array(arena, work->buffer_count + 1, sizeof *sets);
	double granule = work->machine->granule;
	for (unsigned i = count; i-- > 0;) {
		struct random_set *set = &sets[draws[i].buffer];
		if (!requests[i].irregular || !(requests[i].span > 0))
			continue;
		set->span = span_together(draws, requests, count, draws[i].buffer);
		set->asked = fmax(set->asked, work->evaluation->insns[requests[i].insn].lines);
		set->even = draws[i].even > draws[i].warps / 2;
		set->group = requests[i].insn;
	}
	for (unsigned b = 0; b < work->buffer_count; b++) {
		if (!(sets[b].span > 0))
			continue;
		sets[b].granules = sets[b].span / granule * share_of_buffer(arena, draws, requests, count, b, 1);
		sets[b].asked *= lines_apart(draws, requests, count, b, (uint64_t)(LINE_BYTES / granule));
		double lines = share_of_buffer(arena, draws, requests, count, b, (uint64_t)(LINE_BYTES / granule));
		sets[b].lines = fmax(sets[b].granules * granule, sets[b].span * lines);
	}
	return sets;
}

/* Of a set what is drawn at least once in so many draws. */
static double fetched(double set, double drawn, bool even)
{
	if (even)
		return fmin(set, drawn);
	return set > 0 ? set * -expm1(-drawn / set) : 0;
}

double full_random_held(const struct full_machine *machine, double lines, double beside, bool even)
{
	double most = machine->l2_reach, low = 0, high = 1;
	if (even)
		return fmin(1, fmax(0, 1 - EVEN_LOST * (lines + beside - most) / (machine->l2_bytes - most)));
	for (unsigned i = 0; i < HALVINGS; i++) {
		double held = (low + high) / 2;
		if (lines * held - beside * log1p(-held) > most)
			high = held;
		else
			low = held;
	}
	return high < 1 ? low : 1;
}

void full_irregular(struct arena *arena, const struct full_work *work, struct full_traffic *traffic,
                    const struct full_window_request *requests, unsigned count)
{
	uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];
	struct draws *draws = arena_array(arena, count + 1, sizeof *draws);
	struct full_random all = {0};
	double granule = work->machine->granule, others = traffic->touched[work->buffer_count];
	bool any = false;
	int64_t offset;
	for (unsigned i = 0; i < count; i++) {
		any |= requests[i].irregular;
		if (!content_locate(requests[i].base, work->buffer_count, &draws[i].buffer, &offset))
			draws[i].buffer = work->buffer_count;
	}
	for (unsigned n = 0; n < DRAWS && any; n++) {
		int64_t at[3];
		full_place(work, (uint64_t)((n + content_fraction(n)) / DRAWS * (double)blocks), at);
		warp_draw(work, requests, count, draws, at, n % work->warps);
	}
	struct random_set *sets = sets_find(arena, work, draws, requests, count);
	for (unsigned b = 0; b < work->buffer_count; b++) {
		all.lines += sets[b].lines;
		all.granules += sets[b].granules * granule;
		all.lines_fetched += fetched(sets[b].lines, sets[b].asked * LINE_BYTES, sets[b].even);
		all.granules_fetched += fetched(sets[b].granules * granule, sets[b].asked * granule, sets[b].even);
		all.granules_asked += sets[b].asked * granule;
		all.even |= sets[b].even;
		others += sets[b].span > 0 ? 0 : traffic->touched[b];
	}
	double parts = work->machine->l2_bytes / work->machine->l2_reach, weight = (1 + parts) / (2 * parts);
	all.beside = all.granules_asked > 0 ? weight * others * all.granules / all.granules_asked : 0;
	all.held = full_random_held(work->machine, all.lines, all.beside, all.even);
	for (unsigned i = 0; i < count; i++) {
		if (!requests[i].irregular)
			continue;
		double bytes = draws[i].buffer < work->buffer_count ? (double)work->buffers[draws[i].buffer].bytes : 0;
		bytes = requests[i].span > 0 ? requests[i].span : fmin(bytes, range_drawn(&draws[i], granule));
		bytes *= full_share_drawn(draws[i].granule, draws[i].count, NULL);
		share_set(work, traffic, &requests[i], bytes, &sets[draws[i].buffer], all.held);
	}
	full_random_rates(work->machine, &all, traffic);
}
