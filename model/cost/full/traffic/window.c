/*
 * What SMs share behind their L1s: which granules of 64 bytes one of them fetches from DRAM, which ones others fetch too.
 *
 * All SMs run the same code. Seen in lockstep (request r of every warp of every SM, then r + 1), the granule that an SM misses for the first time
 *
 *   comes from DRAM          1 / S        of the time, where S SMs ask for it in the same step and nobody did before;
 *   is on its way already    1 - 1 / S    then, and always where another SM asked earlier in the same run of a basic block;
 *   is in the L2             where another SM asked before that.
 *
 * Once the launch has fetched all that it touches (launch.c), a share of what it asks for again is in the L2:
 *
 *   keep = min(1, L2 / bytes it touches)                                       where no other block asks for it
 *   keep = min(1, L2 / (bytes asked of the L2 in a block's life * near / wave)) where one does that is `near` blocks away, so that it began so much earlier
 *
 * which is what DRAM has to give where all SMs go through a set, each beginning elsewhere (sharing.*: 0.17, 0.28, 0.33, 0.47, 0.63 of it for 67, 84, 100, 134, 201 MB).
 *
 * The window is the first requests of one block's warps; other blocks' are taken to be shifted by so many bytes a block along x, y, z, which three more
 * blocks give and a fourth one checks. Samples of the block's granules are looked for in all blocks of its wave. Where the check
 * fails, addresses are as good as random (irregular.c).
 * Assumed: lockstep of the SMs, which measurement says they leave in long loops (docs/full-model.md).
 */
#include "model/cost/full/traffic/traffic.h"

#include <math.h>
#include <string.h>

#define CLASSES 8  /* different shifts */
#define SAMPLES 12 /* granules of an instruction that are looked for */
#define LOOKUPS 100000
#define SLOTS 32768
#define SAME 0.5 /* two spans that share so much of what both cover are one */
#define BEYOND 4 /* further blocks that scattered lanes are checked on */

struct touch_entry {
	uint64_t key;        /* granule * CLASSES + class + 1; 0: empty */
	uint8_t order, warp; /* of the first request that asks for it */
};

struct window_sample {
	uint64_t granule;
	uint32_t insn;
	uint8_t order, warp;
};

/* A block of the wave on another SM. */
struct window_peer {
	uint64_t far; /* blocks from the window's */
	unsigned sm;
	int64_t apart[CLASSES]; /* granules from the window's to its own, by class */
	bool whole[CLASSES];    /* that is lines */
};

struct window_pass {
	const struct full_work *work;
	struct full_traffic *traffic;
	struct arena *arena;
	struct full_window_request requests[FULL_WINDOW];
	unsigned count, classes;
	int64_t shifts[CLASSES][3];
	struct touch_entry *touches;
	struct window_sample *samples;
	unsigned sample_count;
	size_t touch_count, peer_count;
	struct window_peer *peers;
	int64_t at[3]; /* the block that the window is of */
	uint64_t own;  /* its number */
};

/* ---- tracing ------------------------------------------------------------------------------------ */

static struct touch_entry *touch_slot(const struct window_pass *window, uint64_t key)
{
	size_t slot = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 24) % SLOTS;
	while (window->touches[slot].key && window->touches[slot].key != key)
		slot = (slot + 1) % SLOTS;
	return &window->touches[slot];
}

static void granule_add(struct window_pass *window, uint64_t granule, unsigned order, uint32_t warp)
{
	const struct full_window_request *request = &window->requests[order];
	struct touch_entry *entry = touch_slot(window, granule * CLASSES + request->class + 1);
	if (entry->key && order < entry->order) {
		entry->order = (uint8_t)order;
		entry->warp = (uint8_t)warp;
	}
	if (entry->key || 2 * window->touch_count > SLOTS)
		return;
	*entry = (struct touch_entry){granule * CLASSES + request->class + 1, (uint8_t)order, (uint8_t)warp};
	window->touch_count++;
}

/* The granules that the block touches, with the request that does it first. */
static void samples_collect(struct window_pass *window)
{
	window->samples = arena_array(window->arena, window->touch_count + 1, sizeof *window->samples);
	for (size_t slot = 0; slot < SLOTS; slot++) {
		const struct touch_entry *entry = &window->touches[slot];
		if (entry->key)
			window->samples[window->sample_count++] = (struct window_sample){
				(entry->key - 1) / CLASSES, window->requests[entry->order].insn, entry->order, entry->warp};
	}
}

/* The granules of a request of the window's block. */
static void touches_add(struct window_pass *window, unsigned order, uint32_t warp, const struct trace_event *event)
{
	uint64_t address[WARP_LANES], granule = (uint64_t)window->work->machine->granule, last = UINT64_MAX;
	trace_lanes(event, address);
	for (unsigned lane = 0; lane < WARP_LANES; lane++) {
		uint64_t first = address[lane] / granule, end = (address[lane] + event->bytes - 1) / granule;
		for (uint64_t g = first; event->mask >> lane & 1 && g <= end; g++)
			if (g != last)
				granule_add(window, last = g, order, warp);
	}
}

/* The first global loads of a warp; where requests is NULL their granules are added to the window's. Returns how many there are. */
static unsigned window_trace(struct window_pass *window, const int64_t at[3], uint32_t warp, struct full_window_request *requests)
{
	const uint32_t block[3] = {(uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]};
	struct trace *trace = trace_open(window->work->tracer, block, warp);
	struct trace_event event;
	unsigned order = 0;
	uint32_t entry = 0, steps = 0;
	while (order < FULL_WINDOW && steps++ < 64 * FULL_WINDOW && trace_next(trace, &event)) {
		entry += event.kind == TRACE_BLOCK;
		if (!full_is_load(window->work, &event))
			continue;
		if (requests) {
			requests[order] = (struct full_window_request){.insn = event.insn,
			                                               .entry = entry,
			                                               .base = full_first_address(&event),
			                                               .irregular = event.address != TRACE_KNOWN,
			                                               .mask = event.mask,
			                                               .uneven = event.lanes != NULL};
			requests[order].span = full_lanes_span(window->work, &event, &requests[order].first);
		} else if (order < window->count && window->requests[order].insn == event.insn &&
		           !window->requests[order].irregular) {
			touches_add(window, order, warp, &event);
		}
		order++;
	}
	trace_close(trace);
	return order;
}

/* ---- shifts from block to block ------------------------------------------------------------------- */

/* Shifts along one axis, from the neighbour on it. */
static void slopes_find(struct window_pass *window, unsigned axis)
{
	struct full_window_request other[FULL_WINDOW];
	int64_t at[3] = {window->at[0], window->at[1], window->at[2]}, step = 1;
	if (window->work->grid[axis] < 2)
		return;
	if (at[axis] + 1 >= (int64_t)window->work->grid[axis])
		step = -1;
	at[axis] += step;
	unsigned count = window_trace(window, at, 0, other);
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		if (i >= count || other[i].insn != request->insn)
			request->irregular = true;
		else
			request->slope[axis] = (int64_t)(other[i].base - request->base) * step;
	}
}

/* Where the shifts say that a request of a block lies. */
static uint64_t expected_base(const struct window_pass *window, const struct full_window_request *request, const int64_t at[3])
{
	uint64_t expected = request->base;
	for (unsigned axis = 0; axis < 3; axis++)
		expected += (uint64_t)(request->slope[axis] * (at[axis] - window->at[axis]));
	return expected;
}

/* A block some way off lies where the shifts say, or the request is irregular. */
static void slopes_check(struct window_pass *window)
{
	struct full_window_request other[FULL_WINDOW];
	int64_t at[3];
	for (unsigned axis = 0; axis < 3; axis++)
		at[axis] = window->at[axis] >= 3                             ? window->at[axis] - 3
		           : window->at[axis] + 3 < window->work->grid[axis] ? window->at[axis] + 3
		                                                             : window->at[axis];
	unsigned count = window_trace(window, at, 0, other);
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		if (i >= count || other[i].insn != request->insn || other[i].base != expected_base(window, request, at))
			request->irregular = true;
	}
}

/* Lanes that are not evenly apart may go by a remainder or a hash, which a neighbour's shift does not show: so further blocks are asked. */
static void uneven_check(struct window_pass *window, uint64_t own, uint64_t blocks)
{
	struct full_window_request other[FULL_WINDOW];
	bool any = false;
	for (unsigned i = 0; i < window->count; i++)
		any |= window->requests[i].uneven && !window->requests[i].irregular;
	for (unsigned n = 0; n < BEYOND && any; n++) {
		int64_t at[3];
		full_place(window->work, (own + blocks - (n * n * 8 + 7) % blocks) % blocks, at);
		unsigned count = window_trace(window, at, 0, other);
		for (unsigned i = 0; i < window->count && i < count; i++) {
			struct full_window_request *request = &window->requests[i];
			request->irregular |= request->uneven && other[i].insn == request->insn && other[i].mask == request->mask &&
			                      other[i].base != expected_base(window, request, at);
		}
	}
}

/* Lanes that lie elsewhere in a block far away, as neighbours in a list do, are not scattered over all; others are over what both reach. */
static void spans_check(struct window_pass *window, uint64_t far)
{
	struct full_window_request other[FULL_WINDOW];
	int64_t at[3];
	full_place(window->work, far, at);
	unsigned count = window_trace(window, at, 0, other);
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		if (!(request->span > 0) || i >= count || other[i].insn != request->insn || !(other[i].span > 0))
			continue;
		double first = (double)request->first, beside = (double)other[i].first;
		double end = fmax(first + request->span, beside + other[i].span), start = fmin(first, beside);
		bool apart = request->span + other[i].span < (1 + SAME) * (end - start);
		request->span = apart ? 0 : end - start;
		request->first = (int64_t)start;
	}
}

static void classes_find(struct window_pass *window)
{
	for (unsigned i = 0; i < window->count; i++) {
		struct full_window_request *request = &window->requests[i];
		unsigned c = 0;
		while (c < window->classes && memcmp(window->shifts[c], request->slope, sizeof request->slope) != 0)
			c++;
		if (c == CLASSES) {
			request->irregular = true;
			continue;
		}
		if (c == window->classes && !request->irregular)
			memcpy(window->shifts[window->classes++], request->slope, sizeof request->slope);
		request->class = (uint8_t)c;
	}
}

/* ---- who else asks for a granule ------------------------------------------------------------------- */

struct askers {
	uint64_t sms[FULL_SMS / 64], same[FULL_SMS / 64],
		all[FULL_SMS / 64]; /* in the same step; and for the same of its line; in any */
	uint64_t near;              /* blocks to the nearest of those */
	bool pending, before;       /* earlier in the same basic block; before that */
};

/* Bytes from where the window's block asks to where another one does, as its class shifts; in granules. */
static int64_t bytes_apart(const struct window_pass *window, unsigned class, const int64_t at[3])
{
	int64_t shift = 0;
	for (unsigned axis = 0; axis < 3; axis++)
		shift += window->shifts[class][axis] * (at[axis] - window->at[axis]);
	return shift;
}

static int64_t granules_apart(const struct window_pass *window, unsigned class, const int64_t at[3])
{
	int64_t shift = bytes_apart(window, class, at), size = (int64_t)window->work->machine->granule;
	int64_t nearest = size / 2 - shift, quotient = nearest / size;
	return quotient - (nearest % size < 0);
}

/* The blocks of the wave that run on other SMs than the window's, with where they ask. */
static void peers_make(struct window_pass *window, uint64_t own, uint64_t first, uint64_t end)
{
	unsigned sms = window->work->machine->sms;
	window->peers = arena_array(window->arena, end - first + 1, sizeof *window->peers);
	for (uint64_t block = first; block < end; block++) {
		struct window_peer *peer = &window->peers[window->peer_count];
		int64_t at[3];
		if (block % sms == own % sms)
			continue;
		full_place(window->work, block, at);
		peer->far = block > own ? block - own : own - block;
		peer->sm = (unsigned)(block % sms) % FULL_SMS;
		for (unsigned c = 0; c < window->classes; c++) {
			peer->apart[c] = granules_apart(window, c, at);
			peer->whole[c] = bytes_apart(window, c, at) % LINE_BYTES == 0;
		}
		window->peer_count++;
	}
}

/* What the block asks of the sample's granule. */
static void block_ask(const struct window_pass *window, const struct window_sample *sample, const struct window_peer *peer,
                      struct askers *askers)
{
	for (unsigned c = 0; c < window->classes; c++) {
		const struct touch_entry *entry =
			touch_slot(window, (sample->granule + (uint64_t)peer->apart[c]) * CLASSES + c + 1);
		if (!entry->key)
			continue;
		if (!askers->near || peer->far < askers->near)
			askers->near = peer->far;
		askers->all[peer->sm / 64] |= UINT64_C(1) << peer->sm % 64;
		if (entry->order == sample->order && peer->whole[c])
			askers->same[peer->sm / 64] |= UINT64_C(1) << peer->sm % 64;
		if (entry->order == sample->order)
			askers->sms[peer->sm / 64] |= UINT64_C(1) << peer->sm % 64;
		else if (entry->order < sample->order &&
		         window->requests[entry->order].entry == window->requests[sample->order].entry)
			askers->pending = true;
		else if (entry->order < sample->order)
			askers->before = true;
	}
}

/* Whether the block asks for a granule: the first of its requests that does, and in *warp whose it is, or -1. */
static int block_order(const struct window_pass *window, uint64_t granule, const int64_t at[3], unsigned *warp)
{
	int first = -1;
	for (unsigned c = 0; c < window->classes; c++) {
		uint64_t apart = (uint64_t)granules_apart(window, c, at);
		const struct touch_entry *entry = touch_slot(window, (granule + apart) * CLASSES + c + 1);
		if (!entry->key || (first >= 0 && entry->order >= first))
			continue;
		first = entry->order;
		*warp = entry->warp;
	}
	return first;
}

/* Whether the sample's request asks for the line's other half, another one of its block or of one beside it, or none. */
static void mate_find(const struct window_pass *window, const struct window_sample *sample, struct full_share *share)
{
	bool later = false;
	for (int beside = 0; beside < 7; beside++) {
		int64_t at[3] = {window->at[0], window->at[1], window->at[2]};
		unsigned warp = 0;
		if (beside)
			at[(beside - 1) / 2] += beside % 2 ? 1 : -1;
		int order = block_order(window, sample->granule ^ 1, at, &warp);
		if (order == sample->order && !beside && warp == sample->warp)
			return;
		later |= order >= 0;
	}
	share->half = later;
	share->alone = !later;
}

static struct full_share sample_share(const struct window_pass *window, const struct window_sample *sample)
{
	struct askers askers = {0};
	double others = 0;
	for (size_t i = 0; i < window->peer_count; i++)
		block_ask(window, sample, &window->peers[i], &askers);
	for (unsigned i = 0; i < FULL_SMS / 64; i++)
		others += __builtin_popcountll(askers.sms[i]);
	struct full_share share = {.near = (double)askers.near};
	mate_find(window, sample, &share);
	full_meeting_share(window->work, window->own, askers.same, askers.all, &share);
	if (askers.before)
		return share;
	share.first = askers.pending ? 0 : 1 / (1 + others);
	share.wait = 1 - share.first;
	return share;
}

/* Looks for samples of each instruction, evenly over its granules, in the blocks of the wave [first, end). */
static void shares_find(struct window_pass *window, uint64_t own, uint64_t first, uint64_t end)
{
	peers_make(window, own, first, end);
	struct full_share *shares = window->traffic->shares[0];
	double lookups = (double)(end - first) * window->classes;
	size_t insns = window->work->function->insn_count;
	double *count = arena_array(window->arena, insns, sizeof *count), *taken = arena_array(window->arena, insns, sizeof *taken);
	unsigned distinct = 0;
	for (unsigned i = 0; i < window->sample_count; i++)
		distinct += count[window->samples[i].insn]++ == 0;
	double each = fmin(SAMPLES, fmax(2, LOOKUPS / fmax(1, lookups * distinct)));
	for (unsigned i = 0; i < window->sample_count; i++) {
		const struct window_sample *sample = &window->samples[i];
		double *seen = &taken[sample->insn];
		double stride = fmax(1, count[sample->insn] / each);
		if (fmod((*seen)++, stride) >= 1)
			continue;
		struct full_share share = sample_share(window, sample);
		full_share_add(&shares[sample->insn], &share);
	}
	for (size_t i = 0; i < insns; i++)
		if (shares[i].samples > 0)
			shares[i] = full_share_mean(&shares[i]);
}

/* The buffer that an instruction's requests go to, by the window or else by the evaluation; UINT_MAX: not known. */
static unsigned buffer_of(const struct window_pass *window, uint32_t insn)
{
	const struct full_work *work = window->work;
	unsigned buffer;
	int64_t offset;
	for (unsigned i = 0; i < window->count; i++)
		if (window->requests[i].insn == insn &&
		    content_locate(window->requests[i].base, work->buffer_count, &buffer, &offset))
			return buffer;
	return work->evaluation->insns[insn].buffer;
}

static int class_of(const struct window_pass *window, uint32_t insn)
{
	for (unsigned i = 0; i < window->count; i++)
		if (window->requests[i].insn == insn && !window->requests[i].irregular)
			return window->requests[i].class;
	return -1;
}

/* Instructions that were never first in the window take the mean of those that are shifted alike, or else of those on the same buffer. */
static struct full_share share_alike(const struct window_pass *window, uint32_t insn)
{
	const struct full_share *shares = window->traffic->shares[0];
	struct full_share sum = {0};
	int class = class_of(window, insn);
	unsigned buffer = buffer_of(window, insn);
	for (uint32_t i = 0; i < window->work->function->insn_count; i++) {
		if (!shares[i].samples || window->traffic->irregular[i] || buffer_of(window, i) != buffer ||
		    (class >= 0 && class_of(window, i) != class))
			continue;
		full_share_add(&sum, &shares[i]);
	}
	if (!sum.samples)
		return (struct full_share){.first = 1};
	sum = full_share_mean(&sum);
	sum.samples = 0;
	return sum;
}

/* The block, or the one beside it that is not at the grid's edge, where some lanes may have nothing to do. */
static uint64_t inner_block(const struct full_work *work, uint64_t block)
{
	uint64_t stride = 1;
	int64_t at[3];
	full_place(work, block, at);
	for (unsigned axis = 0; axis < 3; stride *= work->grid[axis++])
		if (work->grid[axis] > 2 && at[axis] == 0)
			block += stride;
		else if (work->grid[axis] > 2 && at[axis] + 1 == (int64_t)work->grid[axis])
			block -= stride;
	return block;
}

void full_window(struct arena *arena, const struct full_work *work, struct full_traffic *traffic)
{
	uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];
	uint64_t wave = (uint64_t)round(work->resident * work->active), own;
	struct window_pass *window = arena_alloc(arena, sizeof *window);
	*window = (struct window_pass){.work = work, .traffic = traffic, .arena = arena};
	window->touches = arena_array(arena, SLOTS, sizeof *window->touches);
	wave = wave < blocks ? wave : blocks;
	own = wave / 2 + (blocks / wave / 2) * wave;
	own = own < blocks ? own : blocks - 1;
	own = inner_block(work, own);
	window->own = own;
	full_place(work, own, window->at);
	window->count = window_trace(window, window->at, 0, window->requests);
	for (unsigned axis = 0; axis < 3; axis++)
		slopes_find(window, axis);
	slopes_check(window);
	uneven_check(window, own, blocks);
	spans_check(window, (own + blocks / 2) % blocks);
	classes_find(window);
	for (uint32_t warp = 0; warp < work->warps; warp++)
		window_trace(window, window->at, warp, NULL);
	samples_collect(window);
	uint64_t first = own / wave * wave, end = first + wave < blocks ? first + wave : blocks;
	shares_find(window, own, first, end);
	full_irregular(arena, work, traffic, window->requests, window->count);
	for (size_t i = 0; i < work->function->insn_count; i++) {
		struct full_share *cold = &traffic->shares[0][i];
		if (!cold->samples && full_loads(work, (uint32_t)i))
			*cold = share_alike(window, (uint32_t)i);
	}
}
