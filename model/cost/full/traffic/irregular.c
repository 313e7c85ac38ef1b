/*
 * Addresses that follow no pattern from block to block: what a gather by a list, a hash or a remainder asks for.
 *
 *   set    = span * share    bytes that can be asked for: over which lanes lie scattered, and the share of granules in it that drawn ones fall on, which tiles of arrays thin out
 *   first  = U (1 - exp(-N / U)) / N    of the granules that the run asks for and nobody did before: N of U; not below 1 - L2 / set
 *   first  = U / N                      where each block has a region of its own, over the whole launch: blocks beside each other ask for all of theirs
 *   reuse  = set + touched * U / N      bytes that come into the L2 until a granule is asked for again
 *
 * Sectors of a random set are served by full_random_rates(). Assumed: every granule of a set is asked for as often as any.
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>

#define DRAWS 48   /* warps whose addresses are looked at together */
#define DRAWN 2048 /* of those addresses, for a period */
#define PERIOD 64  /* granules, the longest pattern of them that is looked for */
#define SHORT 16   /* up to there every period is tried, and then those of whole lines */

/* Granules that an irregular request of the window asks for in blocks all over the grid. */
struct draws {
	uint64_t granule[DRAWS * WARP_LANES];
	unsigned count, buffer;
};

static void draws_add(struct draws *draws, const struct trace_event *event, uint64_t granule)
{
	uint64_t address[WARP_LANES];
	trace_lanes(event, address);
	for (unsigned lane = 0; lane < WARP_LANES && draws->count < DRAWS * WARP_LANES; lane++)
		if (event->mask >> lane & 1)
			draws->granule[draws->count++] = address[lane] / granule;
}

static void warp_draw(const struct full_work *work, const struct full_window_request *requests, unsigned count, struct draws *draws,
                      const int64_t at[3], uint32_t warp)
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

double full_share_drawn(const uint64_t *granules, size_t count)
{
	size_t step = count / DRAWN + 1;
	uint64_t first = UINT64_MAX, last = 0;
	double least = 1;
	for (size_t k = 0; k < count; k++) {
		first = granules[k] < first ? granules[k] : first;
		last = granules[k] > last ? granules[k] : last;
	}
	count /= step;
	for (unsigned period = 2; period <= PERIOD && period <= count / 8 && first <= last && period <= (last - first + 1) / 2;
	     period += period < SHORT ? 1 : 2) {
		bool seen[PERIOD] = {false};
		unsigned distinct = 0;
		for (size_t k = 0; k < count; k++) {
			bool *place = &seen[granules[k * step] % period];
			distinct += !*place;
			*place = true;
		}
		least = fmin(least, (double)distinct / period);
	}
	return least;
}

/* The same of all irregular requests to a buffer. */
static double share_of_buffer(struct arena *arena, const struct draws *draws, const struct full_window_request *requests,
                              unsigned count, unsigned buffer)
{
	uint64_t *all = arena_array(arena, (size_t)count * DRAWS * WARP_LANES + 1, sizeof *all);
	size_t used = 0;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; requests[i].irregular && draws[i].buffer == buffer && k < draws[i].count; k++)
			all[used++] = draws[i].granule[k];
	return full_share_drawn(all, used);
}

/*
 * Addresses as good as random: what is asked of the granules that can be asked for. Lanes scattered over all of them meet those of all that is
 * simulated; where each block has a region, those of the blocks beside it, which are part of the launch in the same measure as their regions of the array, and leave out none.
 */
static void share_set(const struct full_work *work, struct full_traffic *traffic, const struct full_window_request *request,
                      double bytes, double set)
{
	double all = bytes / work->machine->granule;
	double run = request->span > 0 ? fmin(1, (double)work->budget * work->active / work->evaluation->warp_instructions) : 1;
	const struct insn_totals *totals = &work->evaluation->insns[request->insn];
	double asked = run * fmin(totals->sectors, totals->lines * LINE_BYTES / work->machine->granule);
	double first = asked > 0 ? all / asked : 1;
	if (request->span > 0 && all > 0 && asked > 0)
		first = fmax(first * -expm1(-asked / all), 1 - work->machine->l2_bytes / set);
	double reuse = set + traffic->touched_bytes * fmin(1, all * run / fmax(1, asked));
	traffic->shares[0][request->insn] = (struct full_share){.first = fmin(1, first),
	                                                        .reuse = request->span > 0 ? reuse : 0,
	                                                        .both = request->span > 0 ? 1 - exp2(1 - 1 / fmin(1, first)) : 0,
	                                                        .samples = 1};
	traffic->irregular[request->insn] = request->span > 0;
}

void full_irregular(struct arena *arena, const struct full_work *work, struct full_traffic *traffic,
                    const struct full_window_request *requests, unsigned count)
{
	uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];
	struct draws *draws = arena_array(arena, count + 1, sizeof *draws);
	double *spans = arena_array(arena, work->buffer_count + 1, sizeof *spans), set = 0, reach = 0;
	bool any = false;
	int64_t offset;
	for (unsigned i = 0; i < count; i++) {
		any |= requests[i].irregular;
		if (!content_locate(requests[i].base, work->buffer_count, &draws[i].buffer, &offset))
			draws[i].buffer = work->buffer_count;
	}
	for (unsigned n = 0; n < DRAWS && any; n++) {
		int64_t at[3];
		full_place(work, n * (blocks / DRAWS + 1) % blocks, at);
		warp_draw(work, requests, count, draws, at, n % work->warps);
	}
	for (unsigned i = 0; i < count; i++)
		if (requests[i].irregular && requests[i].span > 0 && draws[i].buffer < work->buffer_count)
			spans[draws[i].buffer] = fmax(spans[draws[i].buffer], requests[i].span);
	for (unsigned b = 0; b < work->buffer_count; b++) {
		reach += spans[b];
		set += spans[b] > 0 ? spans[b] * share_of_buffer(arena, draws, requests, count, b) : 0;
	}
	for (unsigned i = 0; i < count; i++) {
		if (!requests[i].irregular)
			continue;
		double bytes = draws[i].buffer < work->buffer_count ? (double)work->buffers[draws[i].buffer].bytes : 0;
		bytes = requests[i].span > 0 ? requests[i].span : fmin(bytes, range_drawn(&draws[i], work->machine->granule));
		share_set(work, traffic, &requests[i], bytes * full_share_drawn(draws[i].granule, draws[i].count), set);
	}
	full_random_rates(work->machine, set, reach, traffic);
}
